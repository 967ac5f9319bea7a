package io.outboxed.jms;

import jakarta.jms.JMSException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A send that threw, in JMS hardly ever with a type that says why.
 *
 * @param isInterrupted the thread did not wait for the broker's answer
 */
record FailedSend(RuntimeException cause, boolean isInterrupted, boolean isLate) {
    /** A failure that took longer is no answer of the broker: its client may have given up waiting for one. */
    private static final long LONGEST_ANSWER = TimeUnit.SECONDS.toNanos(2);

    static FailedSend of(RuntimeException cause, long nanos) {
        boolean interrupted = Thread.currentThread().isInterrupted() || isInterrupt(cause);
        return new FailedSend(cause, interrupted, nanos > LONGEST_ANSWER);
    }

    /** Clients wrap the exception of an interrupt, and may leave the thread's flag cleared. */
    static boolean isInterrupt(Throwable failure) {
        return isInterrupt(failure, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private static boolean isInterrupt(Throwable failure, Set<Throwable> seen) {
        if (failure == null || !seen.add(failure)) {
            return false;
        }
        return failure instanceof InterruptedException
                || isInterrupt(failure.getCause(), seen)
                || failure instanceof JMSException linking && isInterrupt(linking.getLinkedException(), seen);
    }
}
