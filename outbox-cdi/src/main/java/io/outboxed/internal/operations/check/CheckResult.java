package io.outboxed.internal.operations.check;

/**
 * One result of an examination.
 *
 * @param subject what was examined, one or two words
 * @param remedy what to do; empty if nothing
 */
public record CheckResult(Severity severity, String subject, String finding, String remedy) {

    /** How bad it is. */
    public enum Severity {
        OK,
        /** The outbox works, but not as well or as safely as it could. */
        WARNING,
        /** The outbox, or an operation, does not work. */
        PROBLEM
    }

    static CheckResult ok(String subject, String finding) {
        return new CheckResult(Severity.OK, subject, finding, "");
    }

    static CheckResult warning(String subject, String finding, String remedy) {
        return new CheckResult(Severity.WARNING, subject, finding, remedy);
    }

    static CheckResult problem(String subject, String finding, String remedy) {
        return new CheckResult(Severity.PROBLEM, subject, finding, remedy);
    }
}
