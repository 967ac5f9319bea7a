package io.outboxed.jms;

import jakarta.jms.JMSException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A send that threw. The failure of a send has hardly any types in JMS: the broker may have answered, or not.
 *
 * @param isInterrupted the thread no longer waited for the broker's answer
 */
record FailedSend(RuntimeException cause, boolean isInterrupted, boolean isLate) {
    /** A failure that took longer is no answer of the broker. */
    private static final long LONGEST_ANSWER = TimeUnit.SECONDS.toNanos(5);

    /** Clients wrap the exception of an interrupt, and most of them leave the thread's flag cleared. */
    static FailedSend of(RuntimeException cause, long nanos) {
        boolean interrupted = Thread.currentThread().isInterrupted()
                || isInterrupt(cause, Collections.newSetFromMap(new IdentityHashMap<>()));
        return new FailedSend(cause, interrupted, nanos > LONGEST_ANSWER);
    }

    private static boolean isInterrupt(Throwable failure, Set<Throwable> seen) {
        if (failure == null || !seen.add(failure)) {
            return false;
        }
        return failure instanceof InterruptedException
                || isInterrupt(failure.getCause(), seen)
                || failure instanceof JMSException linking && isInterrupt(linking.getLinkedException(), seen);
    }

    /** Otherwise the message may be there, or arrive later: another one now could come after its successors. */
    boolean isAnswer() {
        return !isInterrupted && !isLate;
    }
}
