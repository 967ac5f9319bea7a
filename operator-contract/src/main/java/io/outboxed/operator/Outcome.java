package io.outboxed.operator;

import java.util.UUID;

/** How a change has ended. */
public sealed interface Outcome {
    Outcome DONE = new Changed(1);
    Outcome NOTHING_TO_CHANGE = new Refused(Reason.NOTHING_TO_CHANGE);
    Outcome WOULD_REORDER = new Refused(Reason.WOULD_REORDER);
    Outcome OPERATION_RUNNING = new Refused(Reason.OPERATION_RUNNING);
    Outcome HANDLER_IN_USE = new Refused(Reason.HANDLER_IN_USE);
    Outcome WRONG = new WrongArgument();

    enum Reason {
        /** What it names is not there, or not any more, or is as asked for already. */
        NOTHING_TO_CHANGE,
        WOULD_REORDER,
        /** A bulk operation that has not ended may select the same. */
        OPERATION_RUNNING,
        /** What waits for the handler is delivered to it, unless it is retired. */
        HANDLER_IN_USE
    }

    record Changed(long count) implements Outcome {}

    /** Of a preview. */
    record WouldChange(long count) implements Outcome {}

    /** The nodes will do it. */
    record Started(UUID operation, long matched) implements Outcome {}

    record Refused(Reason reason) implements Outcome {}

    record WrongArgument() implements Outcome {}
}
