package io.outboxed.internal.log;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What an application's exception says. Its code may fail to say it: a message can be computed, for example from an
 * entity whose session has ended.
 */
public final class FailureText {
    /** A chain of causes may be a circle, or endless. */
    private static final int MOST_SHOWN = 64;

    private FailureText() {}

    /** Null if the exception has no message. */
    public static String message(Throwable failure) {
        try {
            return failure.getMessage();
        } catch (RuntimeException | Error e) {
            return unreadable(e);
        }
    }

    /** Its class if the exception has no message. */
    static String messageOrClass(Throwable failure) {
        String message = message(failure);
        return message == null ? failure.getClass().getName() : message;
    }

    /** A stand-in with the classes and stack traces of the exception and its causes: their messages may quote a payload. */
    public static Throwable withoutMessages(Throwable failure) {
        return StandIn.of(failure, each -> each.getClass().getName());
    }

    /**
     * The exception, or a stand-in with its stack trace if a logger could not print it or one of its causes, or if one of
     * their messages would begin a line or control a terminal.
     */
    static Throwable printable(Throwable failure) {
        if (failure == null) {
            return null;
        }
        try {
            // as loggers do
            failure.printStackTrace(new PrintWriter(Writer.nullWriter()));
            return isOneLineEach(failure, newIdentitySet())
                    ? failure
                    : StandIn.of(failure, each -> OutboxLog.oneLine(String.valueOf(each)));
        } catch (RuntimeException | Error e) {
            return StandIn.of(failure, e);
        }
    }

    private static boolean isOneLineEach(Throwable failure, Set<Throwable> checked) {
        if (failure == null || checked.contains(failure)) {
            return true;
        }
        if (checked.size() == MOST_SHOWN) {
            return false;
        }
        checked.add(failure);
        String text = failure.toString();
        return (text == null || OutboxLog.oneLine(text).equals(text))
                && isOneLineEach(failure.getCause(), checked)
                && Stream.of(failure.getSuppressed()).allMatch(each -> isOneLineEach(each, checked));
    }

    private static Set<Throwable> newIdentitySet() {
        return Collections.newSetFromMap(new IdentityHashMap<>());
    }

    private static String unreadable(Throwable e) {
        return "its message can't be read, because that throws " + e.getClass().getName();
    }

    private static final class StandIn extends Exception {
        private static final long serialVersionUID = 1L;

        private StandIn(String text, Throwable cause, StackTraceElement[] stackTrace) {
            super(text, cause);
            setStackTrace(stackTrace);
        }

        static StandIn of(Throwable failure, Throwable why) {
            return new StandIn(
                    failure.getClass().getName() + " (or one of its causes): " + unreadable(why),
                    null,
                    failure.getStackTrace());
        }

        static StandIn of(Throwable failure, Function<Throwable, String> text) {
            return of(failure, text, newIdentitySet());
        }

        private static StandIn of(Throwable failure, Function<Throwable, String> text, Set<Throwable> shown) {
            if (failure == null || shown.size() == MOST_SHOWN || !shown.add(failure)) {
                return null;
            }
            StandIn standIn =
                    new StandIn(text.apply(failure), of(failure.getCause(), text, shown), failure.getStackTrace());
            for (Throwable each : failure.getSuppressed()) {
                StandIn suppressed = of(each, text, shown);
                if (suppressed != null) {
                    standIn.addSuppressed(suppressed);
                }
            }
            return standIn;
        }

        @Override
        public String toString() {
            return getMessage();
        }
    }
}
