package io.outboxed.cli;

/** How a command ended, for scripts. */
final class ExitCode {
    /** Done, or nothing to do. */
    static final int OK = 0;
    /** The answer is no: a check found a problem, what was named does not exist, or some of it is in use and was left. */
    static final int FOUND = 1;
    /** The arguments are wrong; nothing was changed. Also picocli's. */
    static final int USAGE = 2;
    /** The change was not confirmed; nothing was changed. */
    static final int UNCONFIRMED = 3;
    /** The database failed or a privilege is missing. What was changed before stays changed. */
    static final int DATABASE = 4;

    /** As shells report SIGINT. */
    static final int INTERRUPTED = 130;

    private ExitCode() {}
}
