package io.outboxed;

import io.outboxed.admin.AggregateState;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.AuditPage;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.BulkRequest.RetryPreview;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.EditedReplay;
import io.outboxed.admin.EventContent;
import io.outboxed.admin.FailureGroup;
import io.outboxed.admin.OperationRunningException;
import io.outboxed.admin.OutboxStatus;
import io.outboxed.admin.Pause;
import io.outboxed.admin.PauseTarget;
import io.outboxed.admin.RegisteredHandler;
import io.outboxed.admin.RegisteredHandler.Drop;
import io.outboxed.admin.RegisteredHandler.DropPreview;
import io.outboxed.admin.RegisteredHandler.DropResult;
import io.outboxed.admin.ReplayPreview;
import io.outboxed.admin.ReplayResult;
import io.outboxed.admin.ShardStatus;
import io.outboxed.admin.StoredEvent;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingPage;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Shows what is stored and who relays it, on all nodes, and changes it on behalf of an operator. Inject it.
 *
 * <pre>{@code
 * @Inject OutboxAdmin admin;
 *
 * Attribution alice = Attribution.of("alice", "mail server is being replaced");
 * admin.pause(PauseTarget.handler("order-mail"), alice);
 * admin.aggregate("order", "4711").waits().forEach(wait -> log.info(wait.cause()));
 * admin.resume(PauseTarget.handler("order-mail"), alice);
 * }</pre>
 *
 * <p><b>Who may call it.</b> Every bean of the application: there is no check of roles here.
 *
 * <p><b>Audit.</b> Each method that changes something takes an {@link Attribution} and writes a row of the audit in the
 * transaction of the change: either both are stored or neither is. A discard has a row for each dead letter, because
 * nothing else remains of it. A call that finds nothing to change writes none. Rows are deleted when they are older
 * than {@code outbox.audit.retention}.
 *
 * <p><b>Transactions.</b> Every method uses short transactions of its own, on connections of the relay. A transaction
 * of the caller is suspended during the call: rolling it back does not undo the call. Don't hold locks on the outbox's
 * tables while calling.
 *
 * <p><b>Threads.</b> Thread-safe, also across nodes. Methods block until the database has answered. If another
 * transaction has locked a row, they wait for it for about five seconds.
 *
 * <p><b>Errors.</b> All methods throw
 *
 * <ul>
 *   <li>{@link OutboxException} with {@code OUTBOX-0441} until the database has answered for the first time since the
 *       application started;
 *   <li>{@link OutboxException} with {@code OUTBOX-0446} if the database fails, or if a row stays locked. The
 *       transaction that failed changed nothing, unless the connection broke during its commit. Calling again is safe;
 *   <li>{@link NullPointerException} for null where it is not allowed, and {@link IllegalArgumentException} for a
 *       number out of its range, an empty handler name, a position that no page has returned, or a filter whose
 *       period ends before it begins. Nothing was read or changed.
 * </ul>
 */
public interface OutboxAdmin {

    /** The most rows on one page: 1,000. */
    int MAX_PAGE = 1_000;

    /** How many messages one call of {@link #find} reads at most: 200,000. */
    int MAX_SEARCHED = 200_000;

    /** The most dead letters that {@link #failures} reads: the newest 10,000. */
    int MAX_GROUPED = 10_000;

    /** The most bulk operations that {@link #operations} lists: 100. */
    int MAX_OPERATIONS = 100;

    // ---- what is there ----

    /**
     * Counts what is stored, and lists live nodes and pauses.
     *
     * @return the status, never null
     * @throws OutboxException if the database can't be read
     */
    OutboxStatus status();

    /**
     * Lists all shards.
     *
     * @return the shards by number; unmodifiable
     * @throws OutboxException if the database can't be read
     */
    List<ShardStatus> shards();

    /**
     * Lists the handlers that deployments have registered, retired ones too, and counts what waits for each.
     *
     * @return the handlers by type and name; unmodifiable
     * @throws OutboxException if the database can't be read
     */
    List<RegisteredHandler> handlers();

    /**
     * Finds what waits, the oldest first. Each page starts where the previous one ended: what is delivered or added
     * between two calls does not move others from one page to another. Use {@link DeadLetters#find} for dead letters.
     *
     * <p>A call reads at most {@link #MAX_SEARCHED} messages, in whatever state. If they do not fill the page, it is
     * shorter than {@code limit}, or empty, and its {@link WaitingPage#next()} says where to go on.
     *
     * @param filter what to select, not null
     * @param after {@link WaitingPage#next()} of the previous page; null for the first page
     * @param limit the length of the page, 1 to {@link #MAX_PAGE}
     * @return the page; the last one if it has no {@link WaitingPage#next()}; never null
     * @throws OutboxException if the database can't be read
     * @throws IllegalArgumentException for a limit out of its range, or an {@code after} that no page has returned
     */
    WaitingPage find(WaitingFilter filter, String after, int limit);

    /**
     * Reads everything that is stored about one event, except its content.
     *
     * @param messageId the event's id, not null
     * @return the event; empty if nothing is stored about it
     * @throws OutboxException if the database can't be read
     */
    Optional<StoredEvent> event(UUID messageId);

    /**
     * Reads an event's headers and payload, from its message, a dead letter or the history.
     *
     * @param messageId the event's id, not null
     * @return the content; empty if nothing is stored about the event
     * @throws OutboxException if the database can't be read
     */
    Optional<EventContent> content(UUID messageId);

    /**
     * Finds out what holds up an aggregate.
     *
     * @param aggregateType the aggregate's type, not null
     * @param aggregateId the aggregate's identity, not null
     * @return its state, without waits if nothing waits; never null
     * @throws OutboxException if the database can't be read
     */
    AggregateState aggregate(String aggregateType, String aggregateId);

    /**
     * Groups dead letters by handler, event type and kind of error. Only the newest {@link #MAX_GROUPED} that meet the
     * filter are read.
     *
     * @param filter which dead letters, not null
     * @return the groups, the largest first; unmodifiable
     * @throws OutboxException if the database can't be read
     */
    List<FailureGroup> failures(DeadLetterFilter filter);

    // ---- deliveries ----

    /**
     * Makes a waiting delivery due now, instead of at the time of its next attempt. It stays behind earlier events of
     * its aggregate in its handler group, and its attempts so far still count. A relay notices within {@code
     * outbox.relay.poll-max}. Nothing is called while a pause covers the delivery. An attempt that is running outside a
     * transaction is not noticed: if it fails, the delivery waits for its delay as usual.
     *
     * @param messageId the event's id, not null
     * @param handler the handler's name, not null
     * @param by who asks for it, not null
     * @return false if no such delivery waits for an attempt; then nothing was changed
     * @throws OutboxException if the database can't be changed, for example because a transactional delivery of the
     *     event, to this handler or another one, is running and keeps its row locked
     */
    boolean retryNow(UUID messageId, String handler, Attribution by);

    /**
     * Says what keeps a waiting delivery from running even if it is due: an earlier event of its aggregate and handler
     * group, a pause, or that there is no handler. Then {@link #retryNow} alone does not make it run.
     *
     * @param messageId the event's id, not null
     * @param handler the handler's name, not null
     * @return what holds it up, with the event that comes first; empty if nothing does, or if no such delivery waits;
     *     never null
     * @throws OutboxException if the database can't be read
     */
    Optional<AggregateState.Wait> heldUpBy(UUID messageId, String handler);

    /**
     * Says what {@link #replay(DeadLetterFilter, int, boolean, Attribution)} would do. Changes nothing.
     *
     * @param filter which dead letters, not null
     * @return what it would do, never null
     * @throws OutboxException if the database can't be read
     */
    ReplayPreview previewReplay(DeadLetterFilter filter);

    /**
     * Replays one dead letter, for its handler only; see {@link DeadLetters} for the order.
     *
     * @param messageId the event's id, not null
     * @param handler the handler's name, not null
     * @param allowReordering whether the event may come behind newer ones of its aggregate. Needed for a dead letter
     *     that does not hold up its aggregate ({@link DeadLetter#blocking()}), unless the event has no aggregate, and
     *     for one whose message was deleted by SQL
     * @param by who asks for it, not null
     * @return what became of it, never null
     * @throws OutboxException if the database can't be changed
     */
    ReplayResult replay(UUID messageId, String handler, boolean allowReordering, Attribution by);

    /**
     * Replays the dead letter that was read, and no other one: if it was replayed meanwhile and the delivery was given
     * up again, nothing is changed. {@link DeadLetter#diedAt()} is compared in the transaction of the change. Otherwise
     * as {@link #replay(UUID, String, boolean, Attribution)}.
     *
     * @param seen the dead letter as it was read, not null; only its event, its handler and its time count
     * @param allowReordering see {@link #replay(UUID, String, boolean, Attribution)}
     * @param by who asks for it, not null
     * @return what became of it, never null; {@link ReplayResult#NOT_FOUND} if there is another one
     * @throws OutboxException if the database can't be changed
     */
    ReplayResult replay(DeadLetter seen, boolean allowReordering, Attribution by);

    /**
     * Replays one dead letter with another payload, as a new event: it has an id and a place of its own, behind all
     * events of its aggregate, and the type, the aggregate, the headers and the time of the old one. It is for the same
     * handler only. In the same transaction the dead letter is deleted with its payload, and the audit names both
     * events; if the dead letter held up its aggregate, that continues.
     *
     * <p>The application does not see the new payload before its handler does: only the settings {@code
     * outbox.payload.*} are checked. The event has a new id, so a handler that uses the id to discard duplicates
     * processes it.
     *
     * @param messageId the event's id, not null
     * @param handler the handler's name, not null
     * @param payload the new payload as it is stored, not null; for an event with a binary payload the text of its
     *     bytes in UTF-8
     * @param allowReordering whether the new event may come behind newer ones of its aggregate; needed unless it has
     *     none
     * @param by who asks for it, not null
     * @return what became of it, never null
     * @throws OutboxException if the database can't be changed
     * @throws IllegalArgumentException if the payload is too large, can't be stored, or has to be JSON and is not
     */
    EditedReplay replayEdited(UUID messageId, String handler, String payload, boolean allowReordering, Attribution by);

    /**
     * Replays the dead letter that was read, and no other one, with another payload. Compares as
     * {@link #replay(DeadLetter, boolean, Attribution)} does; otherwise as
     * {@link #replayEdited(UUID, String, String, boolean, Attribution)}.
     *
     * @param seen the dead letter as it was read, not null; only its event, its handler and its time count
     * @param payload the new payload as it is stored, not null
     * @param allowReordering whether the new event may come behind newer ones of its aggregate; needed unless it has
     *     none
     * @param by who asks for it, not null
     * @return what became of it, never null; {@link ReplayResult#NOT_FOUND} if there is another one
     * @throws OutboxException if the database can't be changed
     * @throws IllegalArgumentException if the payload is too large, can't be stored, or has to be JSON and is not
     */
    EditedReplay replayEdited(DeadLetter seen, String payload, boolean allowReordering, Attribution by);

    /**
     * Replays many dead letters; see {@link DeadLetters#replay(DeadLetterFilter, int, boolean)}.
     *
     * @param filter which dead letters, not null
     * @param atMost how many at most, 1 or more
     * @param allowReordering see {@link #replay(UUID, String, boolean, Attribution)}
     * @param by who asks for it, not null
     * @return how many were replayed
     * @throws OutboxException if the database can't be read or changed
     * @throws IllegalArgumentException if {@code atMost} is less than 1
     */
    int replay(DeadLetterFilter filter, int atMost, boolean allowReordering, Attribution by);

    /**
     * Discards one dead letter; see {@link DeadLetters#discard(UUID, String)}.
     *
     * @param messageId the event's id, not null
     * @param handler the handler's name, not null
     * @param by who asks for it, not null
     * @return false if there is no such dead letter; then nothing was changed
     * @throws OutboxException if the database can't be changed
     */
    boolean discard(UUID messageId, String handler, Attribution by);

    /**
     * Discards the dead letter that was read, and no other one; see {@link #replay(DeadLetter, boolean, Attribution)}.
     *
     * @param seen the dead letter as it was read, not null; only its event, its handler and its time count
     * @param by who asks for it, not null
     * @return false if it no longer exists, or if there is another one; then nothing was changed
     * @throws OutboxException if the database can't be changed
     */
    boolean discard(DeadLetter seen, Attribution by);

    /**
     * Discards many dead letters; see {@link DeadLetters#discard(DeadLetterFilter, int)}.
     *
     * @param filter which dead letters, not null
     * @param atMost how many at most, 1 or more
     * @param by who asks for it, not null
     * @return how many were discarded
     * @throws OutboxException if the database can't be read or changed
     * @throws IllegalArgumentException if {@code atMost} is less than 1
     */
    int discard(DeadLetterFilter filter, int atMost, Attribution by);

    // ---- handlers that are gone ----

    /**
     * Says what {@link #dropDeliveries} would do. Changes nothing.
     *
     * @param drop what is to be dropped, not null
     * @return what it would do, never null
     * @throws OutboxException if the database can't be read
     * @throws IllegalArgumentException if no handler can have the name
     */
    DropPreview previewDrop(Drop drop);

    /**
     * Drops deliveries that wait for a handler that no deployment has any more, after it has retired the handler if that
     * is asked for: the handler never gets these events, and later ones of their aggregates no longer wait for it. This
     * can't be undone. Blocked deliveries have a dead letter and stay: discard that. Call {@link #previewDrop} first.
     *
     * <p>Deploy without the handler on all nodes before it is retired: nodes that still have it complete new events
     * without it ({@code OUTBOX-0478}). A node that has it registers it again when it starts. Just before a delivery is
     * dropped, the handler is checked once more: if it is in use for the event's type, the delivery stays.
     *
     * <p>Nodes notice within ten seconds that a handler is retired, and may add deliveries until then, which this call
     * does not wait for: call it again until the result is {@linkplain DropResult#complete complete}, each time ten
     * seconds later. A node that stood still or could not reach the database meanwhile may add one even later.
     *
     * <p>Each delivery is dropped in a transaction of its own, with a row of the audit and a line of the log ({@code
     * OUTBOX-0445}); each type for which the handler is retired has a row of the audit too.
     *
     * @param drop what to drop, not null
     * @param atMost how many deliveries at most, 1 or more: of whatever aggregates, of each from its oldest on
     * @param by who asks for it and why, not null
     * @return what was done, never null
     * @throws OutboxException if the database can't be read or changed
     * @throws IllegalArgumentException if {@code atMost} is less than 1, or if no handler can have the name
     */
    DropResult dropDeliveries(Drop drop, int atMost, Attribution by);

    // ---- many at once, in the background ----

    /**
     * Says what a retry of many would do; see {@link BulkRequest#retry}. Changes nothing.
     *
     * @param filter which deliveries, not null, in state {@link io.outboxed.admin.WaitingState#WAITING}
     * @return what it would do, never null
     * @throws OutboxException if the database can't be read
     * @throws IllegalArgumentException if the filter has another state
     */
    RetryPreview previewRetry(WaitingFilter filter);

    /**
     * Replays or discards many dead letters, or retries many deliveries that wait, in the background: stores the
     * operation and returns. The node that relays shard 0 works on it, each change in a transaction of its own, the
     * oldest first; if the node dies, another one continues. A replay or discard does not include deliveries that are
     * given up after this call, and a retry does not include events that are stored after it. Call {@link
     * #previewReplay} or {@link #previewRetry} first.
     *
     * <p>The audit has one row for the operation, which counts its changes, and another one for each dead letter that
     * is discarded. A blocking dead letter, or a delivery, whose event another transaction has locked for more than
     * some seconds is left alone and logged ({@code OUTBOX-0449}, {@code OUTBOX-0479}). While no node runs a relay, the
     * operation waits.
     *
     * <p>A retry makes each delivery due once, as {@link #retryNow} does: one that fails again waits for its next
     * attempt as usual. What is due already is left alone.
     *
     * <p>Two operations that have not ended never {@linkplain BulkRequest#mayOverlap overlap}, so one operator
     * can't discard what another has asked to replay.
     *
     * @param request what to do, not null
     * @param by who asks for it and why, not null
     * @return the operation, with the number that it selects; never null
     * @throws OperationRunningException if an operation that has not ended may select the same dead letters or
     *     deliveries
     * @throws OutboxException if the database can't be changed
     * @throws IllegalArgumentException if the period of the filter ends before it begins, or begins after this call for
     *     a retry
     */
    BulkOperation start(BulkRequest request, Attribution by);

    /**
     * Reads one bulk operation.
     *
     * @param operationId the operation's id, not null
     * @return the operation; empty if there is none. It is deleted {@code outbox.audit.retention} after its end
     * @throws OutboxException if the database can't be read
     */
    Optional<BulkOperation> operation(UUID operationId);

    /**
     * Lists bulk operations.
     *
     * @return those that are running, the oldest first, then those that have ended, the most recent first; at most
     *     {@link #MAX_OPERATIONS}, unmodifiable
     * @throws OutboxException if the database can't be read
     */
    List<BulkOperation> operations();

    /**
     * Ends a bulk operation early. After this call it changes nothing more; changes already made remain.
     *
     * @param operationId the operation's id, not null
     * @param by who asks for it and why, not null
     * @return the operation as it ended; empty if no such operation is running, then nothing was changed
     * @throws OutboxException if the database can't be changed
     */
    Optional<BulkOperation> cancel(UUID operationId, Attribution by);

    // ---- pauses ----

    /**
     * Stops calls of a handler, of all handlers for an event type, or of all handlers, on all nodes, until {@link
     * #resume}. Every relay notices within about a second; running calls finish and count. Events are still stored.
     * What is paused waits in its order and uses up no attempt; other groups of handlers continue. Retries and delayed
     * events that become due wait too. A pause outlives restarts and redeployments.
     *
     * @param target what to pause, not null
     * @param by who asks for it and why, not null; shown with the pause
     * @return false if exactly this is paused already; then nothing was changed
     * @throws IllegalArgumentException if no event type or handler can have the target's name, such as {@code *}
     * @throws OutboxException if the database can't be changed
     */
    boolean pause(PauseTarget target, Attribution by);

    /**
     * Ends a pause. What other pauses cover stays paused. Every relay notices within about a second.
     *
     * @param target what to resume, exactly as it was paused, not null
     * @param by who asks for it and why, not null
     * @return false if exactly this is not paused; then nothing was changed
     * @throws IllegalArgumentException if it is not paused, and no event type or handler can have the target's name
     * @throws OutboxException if the database can't be changed
     */
    boolean resume(PauseTarget target, Attribution by);

    /**
     * Ends this pause, but no later one of the same target, which another operator may have begun meanwhile.
     *
     * @param seen a pause as {@link #pauses} lists it, not null
     * @param by who asks for it and why, not null
     * @return false if it has ended, whether or not the same is paused again; then nothing was changed
     * @throws OutboxException if the database can't be changed
     */
    boolean resume(Pause seen, Attribution by);

    /**
     * Lists the pauses that are in force.
     *
     * @return everything first, then by kind and name; unmodifiable
     * @throws OutboxException if the database can't be read
     */
    List<Pause> pauses();

    // ---- audit ----

    /**
     * Reads the audit, the most recent first.
     *
     * @param after {@link AuditPage#next()} of the previous page; null for the first page
     * @param limit the length of the page, 1 to {@link #MAX_PAGE}
     * @return the page, empty if there are no more entries; never null
     * @throws OutboxException if the database can't be read
     * @throws IllegalArgumentException for a limit out of its range, or an {@code after} that no page has returned
     */
    AuditPage audit(String after, int limit);
}
