package io.outboxed;

import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.ReplayResult;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Finds, replays and discards the deliveries that were given up, on all nodes. Inject it.
 *
 * <pre>{@code
 * @Inject DeadLetters deadLetters;
 *
 * DeadLetterFilter mails = DeadLetterFilter.all().handler("order-mail").diedSince(outageBegan);
 * deadLetters.find(mails, null, 50).letters().forEach(letter -> log.info(letter.error()));
 * boolean allowReordering = true; // mails that overtook each other do no harm
 * deadLetters.replay(mails, 10_000, allowReordering);
 * }</pre>
 *
 * <p><b>Order of a replay.</b> It depends on what happened to the later events of the aggregate when the handler gave
 * up:
 *
 * <ul>
 *   <li>With {@code outbox.dead-letter.order=skip} they did not wait, and the handler may have seen them. The replay
 *       therefore comes last: the event is stored once more behind all events of its aggregate, with the same id, for
 *       this handler only. From there it is delivered in order like any other. A handler that builds state from events
 *       has to cope with an event that is older than what it has already seen. Because this breaks the order, the
 *       caller has to allow it.
 *   <li>With {@code block} they have waited ({@link DeadLetter#blocking()} is true). The replay takes the event's
 *       original place, before all of them, so the order of the aggregate is kept.
 * </ul>
 *
 * <p>A replayed delivery starts again with attempt 1, and can become a dead letter again. The method returns when the
 * replay is stored; a relay finds it within {@code outbox.relay.poll-max} and calls the handler, on whichever node owns
 * the aggregate. If no deployment has a handler of that name any more, the event waits until one has.
 *
 * <p><b>Transactions.</b> Every method uses short transactions of its own, on connections of the relay. A transaction
 * of the caller is suspended during the call: rolling it back does not undo the call, and the call does not wait for
 * its commit. Don't hold locks on the outbox's tables while calling.
 *
 * <p><b>Threads.</b> Thread-safe, also across nodes: of several callers that replay or discard the same dead letter,
 * one succeeds. Methods block until the database has answered. If another transaction has locked a row, they wait for
 * it for about five seconds.
 *
 * <p><b>Errors.</b> All methods throw
 *
 * <ul>
 *   <li>{@link OutboxException} with {@code OUTBOX-0441} until the database has answered for the first time since the
 *       application started;
 *   <li>{@link OutboxException} with {@code OUTBOX-0443} if the database fails, or if a row stays locked. The
 *       transaction that failed changed nothing, unless the connection broke during its commit. Calling again is safe.
 *       Methods that change many skip a blocking dead letter whose message stays locked, log it ({@code OUTBOX-0449})
 *       and continue;
 *   <li>{@link NullPointerException} for null where it is not allowed, and {@link IllegalArgumentException} for a
 *       number out of its range, an empty handler name, or a filter whose period ends before it begins. Nothing was
 *       read or changed.
 * </ul>
 */
public interface DeadLetters {

    /** The most dead letters on one page: 1,000. */
    int MAX_PAGE = 1_000;

    /** The number at which {@link #count(DeadLetterFilter)} stops counting: 1,000,000. */
    int MAX_COUNT = 1_000_000;

    /**
     * Finds dead letters, the most recent first. Each page starts where the previous one ended: dead letters that are
     * added, replayed or discarded between two calls do not move others from one page to another.
     *
     * @param filter which dead letters, not null
     * @param after {@link Page#next()} of the previous page; null for the first page
     * @param limit the length of the page, 1 to {@link #MAX_PAGE}
     * @return the page, empty if there are no more dead letters; never null
     * @throws OutboxException if the database can't be read
     * @throws IllegalArgumentException for a limit out of its range, or an {@code after} that no page has returned
     */
    Page find(DeadLetterFilter filter, String after, int limit);

    /**
     * Reads one dead letter.
     *
     * @param messageId the event's id, not null
     * @param handler the handler's name, not null
     * @return the dead letter; empty if there is none, or if it has been replayed or discarded
     * @throws OutboxException if the database can't be read
     */
    Optional<DeadLetter> get(UUID messageId, String handler);

    /**
     * Counts dead letters.
     *
     * @param filter which dead letters, not null
     * @return how many there are, at most {@link #MAX_COUNT}
     * @throws OutboxException if the database can't be read
     */
    long count(DeadLetterFilter filter);

    /**
     * Delivers an event to a handler once more, with a new set of attempts, and removes the dead letter. See above for
     * the order.
     *
     * @param messageId the event's id, not null
     * @param handler the handler's name, not null
     * @param allowReordering whether the event may come behind newer ones of its aggregate. Needed for a dead letter
     *     that does not hold up its aggregate ({@link DeadLetter#blocking()}), unless the event has no aggregate, and
     *     for one whose message was deleted by SQL
     * @return what became of it, never null; unless it was replayed, nothing was changed
     * @throws OutboxException if the database can't be changed
     */
    ReplayResult replay(UUID messageId, String handler, boolean allowReordering);

    /**
     * Deletes a dead letter: this handler will never get the event. Later events of the aggregate that wait for it are
     * delivered.
     *
     * @param messageId the event's id, not null
     * @param handler the handler's name, not null
     * @return false if there is no such dead letter; then nothing was changed
     * @throws OutboxException if the database can't be changed
     */
    boolean discard(UUID messageId, String handler);

    /**
     * Replays many dead letters, the oldest first, so that events of one aggregate keep their relative order. Each is
     * replayed in a transaction of its own: after an exception, the previous ones stay replayed. Dead letters that are
     * added during the call are not included, so no event is replayed twice. Without {@code allowReordering}, those
     * that would come behind newer events of their aggregate are left alone.
     *
     * <p>Expect a few milliseconds for each. For very many, call this method repeatedly until it returns less than
     * {@code atMost}.
     *
     * @param filter which dead letters, not null
     * @param atMost how many at most, 1 or more
     * @param allowReordering see {@link #replay(UUID, String, boolean)}
     * @return how many were replayed
     * @throws OutboxException if the database can't be read or changed
     * @throws IllegalArgumentException if {@code atMost} is less than 1
     */
    int replay(DeadLetterFilter filter, int atMost, boolean allowReordering);

    /**
     * Discards many dead letters, the oldest first; for transactions, duration and errors see {@link
     * #replay(DeadLetterFilter, int, boolean)}.
     *
     * @param filter which dead letters, not null
     * @param atMost how many at most, 1 or more
     * @return how many were discarded
     * @throws OutboxException if the database can't be read or changed
     * @throws IllegalArgumentException if {@code atMost} is less than 1
     */
    int discard(DeadLetterFilter filter, int atMost);

    /**
     * One page of the result of {@link DeadLetters#find}.
     *
     * @param letters the dead letters, the most recent first; not null, unmodifiable
     * @param next pass it to {@link DeadLetters#find} for the next page, with the same filter; null after the last
     *     page. An opaque string without spaces, shorter than 256 characters, that stays valid when the dead letters of
     *     this page are gone. It names an event and a handler, and contains no secrets
     */
    record Page(List<DeadLetter> letters, String next) {

        /**
         * Copies the list.
         *
         * @param letters the dead letters
         * @param next where the next page begins, or null
         * @throws NullPointerException if the list or one of its elements is null
         */
        public Page {
            letters = List.copyOf(letters);
        }
    }
}
