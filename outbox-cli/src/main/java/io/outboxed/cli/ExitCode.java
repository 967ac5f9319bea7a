package io.outboxed.cli;

/** How a command ended, for scripts. */
final class ExitCode {
    /** Done, or nothing to do. */
    static final int OK = 0;
    /**
     * A check found a problem; nothing has the given name or id; nothing could be retried, paused, resumed or cancelled;
     * partitions were left as they were; rows in use, or dead letters that have lost their place, were skipped; the
     * handler whose deliveries were to be dropped is not retired; or another bulk operation has not ended.
     */
    static final int FOUND = 1;
    /** The arguments are wrong; nothing was changed. Also picocli's. */
    static final int USAGE = 2;
    /** The change was not confirmed; nothing was changed. */
    static final int UNCONFIRMED = 3;
    /** The database failed or a privilege is missing. Changes already made remain. */
    static final int DATABASE = 4;
    /** An error in the program, sysexits' EX_SOFTWARE. Changes already made remain. */
    static final int SOFTWARE = 70;

    /** Results could not be written, sysexits' EX_IOERR. Changes already made remain. */
    static final int UNWRITTEN = 74;

    /** As shells report SIGINT. */
    static final int INTERRUPTED = 130;

    private ExitCode() {}
}
