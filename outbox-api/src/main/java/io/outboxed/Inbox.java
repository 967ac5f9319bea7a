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
 * <p><b>Transactions.</b> One must be active, and everything happens in it: first a row for the receiver and the
 * message is inserted, then the effect runs. Both are committed together or not at all, so the effect must write in
 * this transaction, to the outbox's database. A mail or an HTTP request in an effect is repeated if the transaction
 * rolls back after it. If the effect throws, the transaction is marked for rollback, because the row must not remain
 * without its effect, and the exception reaches the caller. If the effect returns but its transaction was marked for
 * rollback or has ended meanwhile, for example after its timeout, the call fails with {@code OUTBOX-0141}: the server may
 * roll it back without an exception. Before the commit the row is looked for once more: if the application swallows
 * a deadlock, after which MySQL, MariaDB and H2 roll back everything before it, the commit fails with {@code
 * OUTBOX-0148}.
 *
 * <p><b>Concurrent calls.</b> Of two calls with the same receiver and id in different transactions, the second one
 * waits until the first transaction ends, at most for the database's lock timeout. If the first transaction commits,
 * the second call returns false and its transaction continues. If it rolls back, the second call runs its effect.
 * Transactions that use several ids in different orders can deadlock; on MySQL and MariaDB, so can two calls that wait
 * for a third one that rolls back. On PostgreSQL above READ COMMITTED, and on H2 under SERIALIZABLE, a call fails with
 * a serialization failure if the row was committed after its transaction took its snapshot. In all these cases the call
 * fails with {@code OUTBOX-0143}: retry the whole transaction. On MySQL and MariaDB under REPEATABLE READ such a call
 * returns false, but its transaction may not see the first one's writes; MariaDB before 11.4.2 fails too if
 * {@code innodb_snapshot_isolation} is switched on.
 *
 * <p><b>Limits.</b> An id and a receiver have 1 to 255 characters each and are compared exactly. They must not end with
 * a space, and must contain neither U+0000 nor unpaired surrogates. A receiver must not begin with {@code publish:},
 * which is reserved for {@link PublishOptions#key(String)}.
 *
 * <p><b>Retention.</b> A row is kept for at least {@code outbox.inbox.retention} (30 days). If the message arrives
 * again after that, the effect runs again.
 *
 * <p><b>Threads.</b> Safe for use by any thread, on any number of nodes.
 *
 * @see Idempotent
 */
public interface Inbox {

    /**
     * Runs the effect unless it has already run for this message and receiver.
     *
     * @param id the message's id, not null
     * @param receiver what the effect belongs to: a message has one effect for each receiver. Keep the name stable; not
     *     null
     * @param effect writes in the active transaction; not null
     * @return true if the effect was run, false if it ran before
     * @throws OutboxException {@code OUTBOX-0140} without an active transaction, {@code OUTBOX-0141} with one that is
     *     marked for rollback or being completed, {@code OUTBOX-0142} for an id or a receiver that exceeds its limits,
     *     {@code OUTBOX-0143} if the database fails. The effect was not run, unless the message says so
     * @throws NullPointerException for null; the effect was not run
     */
    boolean once(String id, String receiver, Runnable effect);

    /**
     * Runs the effect unless it has already run for this message and receiver.
     *
     * @param id the message's id, stored as its {@code toString()}; not null
     * @param receiver what the effect belongs to, not null
     * @param effect writes in the active transaction; not null
     * @return true if the effect was run, false if it ran before
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
     * @param message the message, identified by {@link OutboxMessage#id()}; not null
     * @param receiver what the effect belongs to, not null
     * @param effect writes in the active transaction; not null
     * @return true if the effect was run, false if it ran before
     * @throws OutboxException as {@link #once(String, String, Runnable)}
     * @throws NullPointerException for null; the effect was not run
     */
    default boolean once(OutboxMessage message, String receiver, Runnable effect) {
        return once(message.id(), receiver, effect);
    }
}
