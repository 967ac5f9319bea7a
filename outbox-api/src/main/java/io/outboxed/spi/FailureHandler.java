package io.outboxed.spi;

/**
 * Is told about each failed attempt, for alerts or statistics: a {@link io.outboxed.DeadLetter} comes only after the
 * last one. An application provides any number as CDI beans without a qualifier. They change nothing: what happens next
 * has been decided by the {@link FailureClassifier} and the settings.
 *
 * <p>Called on a relay thread of the node that made the attempt, one failure at a time, in the order in which they were
 * decided, without a transaction and without a request context. Deliveries don't wait for it. Up to four beans have a
 * thread each; further ones share these threads. While one bean is slow, up to 1,000 calls wait for its thread in
 * memory; further ones are not made ({@code OUTBOX-0598}).
 *
 * <p>Reports are not stored: each comes at most once, none is repeated, and those that wait when the node stops are
 * lost. An attempt is not reported if its outcome is unknown or if its node died; such an attempt is repeated. One whose
 * node has lost the lease meanwhile is reported, but decides nothing: it does not count, and the node that has taken
 * over makes it again. Use {@link io.outboxed.DeadLetters} for anything that must not be missed.
 *
 * <p>A retry by MicroProfile Fault Tolerance is part of its attempt and not reported: the attempt is, if the last retry
 * has failed.
 *
 * <p>A failed call of several events ({@link io.outboxed.EventBatch}) counts as no attempt, and is only logged
 * ({@code OUTBOX-0467}). The events are then delivered one by one, and each attempt that fails there is reported. A
 * call that exceeded {@code outbox.handler.timeout} is reported at once, as a failed attempt of its first event.
 */
@FunctionalInterface
public interface FailureHandler {

    /**
     * An attempt has failed. Its handler's transaction, if there was one, is rolled back.
     *
     * @param attempt the attempt and what happens next; not null
     * @throws RuntimeException is logged as {@code OUTBOX-0597} and has no other effect
     */
    void failed(FailedAttempt attempt);
}
