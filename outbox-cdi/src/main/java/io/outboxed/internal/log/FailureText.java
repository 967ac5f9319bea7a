package io.outboxed.internal.log;

import java.io.PrintWriter;
import java.io.Writer;

/**
 * What an application's exception says. Its code may fail to say it: a message can be computed, for example from an
 * entity whose session has ended.
 */
public final class FailureText {

    private FailureText() {}

    /** Null if the exception has no message. */
    public static String message(Throwable failure) {
        try {
            return failure.getMessage();
        } catch (RuntimeException | Error e) {
            return unreadable(e);
        }
    }

    /** The exception, or a stand-in with its stack trace if a logger could not print it or one of its causes. */
    static Throwable printable(Throwable failure) {
        if (failure == null) {
            return null;
        }
        try {
            // as loggers do
            failure.printStackTrace(new PrintWriter(Writer.nullWriter()));
            return failure;
        } catch (RuntimeException | Error e) {
            return new StandIn(failure, e);
        }
    }

    private static String unreadable(Throwable e) {
        return "its message can't be read, because that throws " + e.getClass().getName();
    }

    private static final class StandIn extends Exception {
        private static final long serialVersionUID = 1L;

        StandIn(Throwable failure, Throwable why) {
            super(failure.getClass().getName() + " (or one of its causes): " + unreadable(why), null, false, true);
            setStackTrace(failure.getStackTrace());
        }

        @Override
        public String toString() {
            return getMessage();
        }
    }
}
