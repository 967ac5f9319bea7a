package io.outboxed.internal.store;

/** What becomes of one handler's failed, refused or postponed delivery of a message. Errors are cleaned by the store. */
public sealed interface Verdict {
    String handler();

    int attempts();

    String error();

    /** Waits in its lane and is due after the delay, on the database's clock. */
    record Retry(String handler, int attempts, String error, long delayMicros) implements Verdict {}

    /** A dead letter; the handler's lane goes on. */
    record Dead(String handler, int attempts, String error) implements Verdict {}

    /** A dead letter; the delivery stays and its lane waits for an operator. */
    record Blocked(String handler, int attempts, String error) implements Verdict {}
}
