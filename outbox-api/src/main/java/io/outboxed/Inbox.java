package io.outboxed;

import java.util.UUID;

/**
 * Runs an effect once for each message and receiver, however often the message arrives. Inject it.
 *
 * <pre>{@code
 * @Inject Inbox inbox;
 *
 * @Transactional
 * public void booked(Payment payment) {                 // called again by a broker, a client or an outside handler
 *     inbox.once(payment.id(), "accounts", () -> em.persist(new Booking(payment)));
 * }
 * }</pre>
 *
 * <p><b>Transactions.</b> One must be active, and everything happens in it: a row for the receiver and the message is
 * inserted first, then the effect runs. Both are committed together or not at all, so the effect must write in this
 * transaction, to the outbox's database; a mail or an HTTP request in an effect is repeated if the transaction rolls
 * back after it. If the effect throws, the transaction is marked for rollback, because the row must not stay without
 * its effect, and the exception is passed on. The transaction is also marked for rollback if the database fails.
 *
 * <p><b>Concurrent calls.</b> Of two calls with the same receiver and id in different transactions, the second one
 * waits for the end of the first transaction. If that commits, the second call returns false and its transaction goes
 * on; if it rolls back, the second call runs its effect. A call waits no longer than the database lets a statement
 * wait for a lock. Transactions that use several ids in different orders can deadlock, like any that lock several
 * rows; on MySQL and MariaDB so can two calls that wait for a third one that rolls back. On PostgreSQL and H2 above
 * READ COMMITTED, a call whose row was committed after its transaction took its snapshot fails as a serialization
 * failure. In all these cases the database rolls one transaction back and the call fails with {@code OUTBOX-0143}:
 * repeat the whole transaction.
 *
 * <p><b>Limits.</b> An id and a receiver have 1 to 255 characters each, and are compared exactly. They don't end with
 * a space and contain neither U+0000 nor unpaired surrogates. A receiver does not begin with {@code publish:}, which
 * is used for {@link PublishOptions#key(String)}.
 *
 * <p><b>Retention.</b> A row is kept for at least {@code outbox.inbox.retention} (30 days). A message that arrives
 * again later runs again.
 *
 * <p><b>Threads.</b> Safe for any thread and any number of nodes.
 *
 * @see Idempotent
 */
public interface Inbox {

    /**
     * Runs the effect unless it has already run for this message and receiver.
     *
     * @param id the message's id, not null
     * @param receiver who has the effect: effects of different receivers don't concern each other. Keep the name
     *     stable; not null
     * @param effect writes in the active transaction; not null. An exception that it throws is passed on
     * @return whether the effect was run; false if it ran before
     * @throws OutboxException {@code OUTBOX-0140} without an active transaction, {@code OUTBOX-0141} with one that is
     *     marked for rollback or being completed, {@code OUTBOX-0142} for an id or a receiver out of its limits,
     *     {@code OUTBOX-0143} if the database fails. The effect was not run
     * @throws NullPointerException for null; the effect was not run
     */
    boolean once(String id, String receiver, Runnable effect);

    /**
     * Runs the effect unless it has already run for this message and receiver.
     *
     * @param id the message's id, of which the {@code toString()} is stored; not null
     * @param receiver who has the effect, not null
     * @param effect writes in the active transaction; not null
     * @return whether the effect was run; false if it ran before
     * @throws OutboxException as {@link #once(String, String, Runnable)}
     * @throws NullPointerException for null; the effect was not run
     */
    default boolean once(UUID id, String receiver, Runnable effect) {
        return once(id.toString(), receiver, effect);
    }

    /**
     * Runs the effect unless it has already run for this message and receiver. Attempts and replays of a message have
     * the same id.
     *
     * @param message whose {@link OutboxMessage#id()} is the id, not null
     * @param receiver who has the effect, not null
     * @param effect writes in the active transaction; not null
     * @return whether the effect was run; false if it ran before
     * @throws OutboxException as {@link #once(String, String, Runnable)}
     * @throws NullPointerException for null; the effect was not run
     */
    default boolean once(OutboxMessage message, String receiver, Runnable effect) {
        return once(message.id(), receiver, effect);
    }
}
