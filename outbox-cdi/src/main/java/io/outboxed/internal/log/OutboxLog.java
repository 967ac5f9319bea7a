package io.outboxed.internal.log;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.OutboxException;
import io.outboxed.admin.BulkRequest.Kind;
import io.outboxed.admin.Pause;
import io.outboxed.admin.PauseTarget;
import io.outboxed.admin.WaitingItem;
import io.outboxed.internal.database.Counted;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MessageBody;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.Resolution;
import io.outboxed.internal.store.RetiredDelivery;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.NodeHeartbeat;
import io.outboxed.spi.FailedAttempt;
import io.outboxed.spi.FailureClassifier.Verdict;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Every log line of the product. Ids are never reused; no line contains a payload, a header or a secret. */
public final class OutboxLog {
    private static final Logger LOG = System.getLogger("io.outboxed");

    /** Stored texts, and those of drivers and handlers, must neither begin a line nor control a terminal. */
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");

    private static final Pattern CONTROL_WITHIN_LINE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}&&[^\n]]");

    private OutboxLog() {}

    // ---- 01xx: capture ----

    public static void wakeUpFailed(Set<Integer> shards, Throwable failure) {
        error(
                "OUTBOX-0190 events were committed to shards " + shards + ", but the relay could not be woken up;"
                        + " its next poll will find them",
                failure);
    }

    public static void entityAsEvent(String eventClass) {
        warn("OUTBOX-0191 " + eventClass + " is both an event and a JPA entity: the payload changes with the"
                + " entity's mapping, and serialising it loads lazy relations. Publish a record of what"
                + " happened instead");
    }

    public static void outboxedInterface(String method, String bean) {
        warn("OUTBOX-0192 @Outboxed on the interface method " + method + " has no effect on its implementation in "
                + bean + ": interceptor bindings of interfaces do not apply to beans. To store what the method returns,"
                + " put @Outboxed on the method of " + bean);
    }

    public static void outboxedNoBean(String type, String why) {
        warn("OUTBOX-0193 @Outboxed in " + type + " has no effect, because its objects are not beans: " + why
                + ". Let CDI create them, or call Outbox.publish");
    }

    // ---- 02xx: configuration ----

    public static void unknownKey(String sentence) {
        warn("OUTBOX-0290 " + sentence);
    }

    public static void riskySettings(String sentence) {
        warn("OUTBOX-0294 " + sentence);
    }

    public static void unmatchedName(String sentence) {
        warn("OUTBOX-0291 " + sentence);
    }

    public static void unknownUnit(String name) {
        warn("OUTBOX-0292 outbox.datasource.independent-units names " + name
                + ", but no persistence unit of the application has this name");
    }

    /** Servers show the reason only behind the stack trace of their own exception, Open Liberty not always. */
    public static void deploymentRefused(OutboxException why) {
        report(Level.ERROR, why.getMessage());
    }

    public static void unitsNotRead(Exception why) {
        debug("OUTBOX-0293 the data sources of the application's persistence units were not checked: " + why);
    }

    // ---- 03xx: database ----

    public static void optionalDropped(StoreException refused) {
        warn(
                "OUTBOX-0390 the database rejected an error text or a history row, which was left out; the message itself"
                        + " was handled as intended",
                refused);
    }

    // ---- 04xx: relay ----

    public static void joined(String owner, String label, long registryVersion) {
        info("OUTBOX-0401 node " + owner + " (" + label + ") joined; version " + registryVersion
                + " of the handler registry added its newest handler");
    }

    public static void declaredDead(String owner) {
        warn("OUTBOX-0402 node " + owner + " was declared dead by another node; it drops its shards and rejoins");
    }

    public static void nodeDied(NodeHeartbeat node) {
        warn("OUTBOX-0403 node " + node.owner() + " (" + node.label() + ") has sent no heartbeat for one lease;"
                + " its shards are taken over");
    }

    public static void shardLost(Lease lease) {
        warn("OUTBOX-0405 this node no longer holds shard " + lease.shard() + " (epoch " + lease.epoch() + "); calls"
                + " still running here can record a success, but nothing else");
    }

    public static void shardHandedOver(Lease lease, String to) {
        debug("OUTBOX-0406 handed shard " + lease.shard() + " over to node " + to);
    }

    public static void stopped(String owner, int released, int left) {
        info("OUTBOX-0407 node " + owner + " stopped: released " + released + " shards; the leases of " + left
                + " shards whose handlers are still running will expire");
    }

    public static void shardsUnassigned(Set<Integer> shards) {
        warn("OUTBOX-0408 no node has relayed the shards " + shards + " for a lease, and they are not in this node's"
                + " outbox.relay.shards; their events wait until a node takes them");
    }

    public static void shardReturned(Lease lease) {
        warn("OUTBOX-0409 shard " + lease.shard() + " was handed to this node, which released it because it is not in"
                + " outbox.relay.shards. Set outbox.relay.shards on all nodes or on none (logged once)");
    }

    public static void lockSessionLost(String owner) {
        warn("OUTBOX-0471 node " + owner
                + " has lost its right to its aggregates: its lock session has ended, or a row of outbox_claim has"
                + " disappeared. It drops its work and joins again. Until this name counts as dead, one lease after its"
                + " last heartbeat, no node takes over these aggregates, and with advisory-lock none claims new ones");
    }

    public static void locksMissing(Set<String> owners) {
        warn("OUTBOX-0472 the nodes " + owners + " count as alive and have lost their lock sessions; calls may still"
                + " run there, so no new aggregates are claimed until they are declared dead");
    }

    public static void lockTableFull(Throwable cause) {
        warn("OUTBOX-0474 the database has no room for more locks (" + cause.getMessage() + "), so this node claims no"
                + " new aggregates for a second; raise max_locks_per_transaction, or lower the number of nodes");
    }

    /** @param owners the values of outbox.relay.claim, as the table has them */
    public static void shardsShared(int shards, Set<String> owners, String tablePrefix) {
        String values = String.join(", ", owners);
        String inSql = owners.stream().map(owner -> "'" + owner + "'").collect(Collectors.joining(", "));
        warn("OUTBOX-0473 " + shards + " shards belong to nodes with another value of outbox.relay.claim (" + values
                + "); this node does not relay them. If no such node runs any more, run: UPDATE " + tablePrefix
                + "shard SET owner = NULL, epoch = epoch + 1 WHERE owner IN (" + inSql + ")");
    }

    /** @param executor does not get the body, which may be large */
    public static void deliveryFailed(
            Executor executor,
            MessageHead head,
            MessageBody body,
            int attempt,
            Resolution resolution,
            Throwable failure) {
        String text = "OUTBOX-0411 handler " + resolution.handler() + " failed for " + describe(head, body)
                + " on attempt " + attempt + ": " + next(resolution);
        executor.execute(() -> warn(text, failure));
    }

    /** @param executor does not get the body, which may be large */
    public static void deadLetter(Executor executor, MessageHead head, MessageBody body, Resolution resolution) {
        String text = "OUTBOX-0412 dead letter: handler " + resolution.handler() + " gave up on "
                + describe(head, body) + " after " + Counted.of(resolution.attempts(), "attempt") + ": "
                + resolution.error();
        executor.execute(() -> error(text));
    }

    public static void discarded(DeadLetter letter) {
        info("OUTBOX-0444 discarded on request: handler " + letter.handler() + " will never get "
                + describe(letter.messageId(), letter.type(), letter.aggregateType(), letter.aggregateId())
                + ", given up at " + letter.diedAt() + " after " + Counted.of(letter.attempts(), "attempt"));
    }

    public static void deadLetterLocked(DeadLetter letter) {
        warn("OUTBOX-0449 the dead letter of handler " + letter.handler() + ", given up at " + letter.diedAt()
                + ", was skipped: another transaction has locked "
                + describe(letter.messageId(), letter.type(), letter.aggregateType(), letter.aggregateId())
                + ". Replay or discard it again after that transaction has ended");
    }

    public static void waitingDeliveryLocked(WaitingItem delivery) {
        warn("OUTBOX-0479 the delivery to handler " + delivery.handler()
                + " was skipped: another transaction has locked "
                + describe(delivery.messageId(), delivery.type(), delivery.aggregateType(), delivery.aggregateId())
                + ". Retry it after that transaction has ended");
    }

    public static void dropped(RetiredDelivery delivery) {
        info("OUTBOX-0445 dropped on request: retired handler " + delivery.handler() + " will never get "
                + describe(delivery.messageId(), delivery.type(), delivery.aggregateType(), delivery.aggregateId()));
    }

    private static String describe(UUID messageId, String type, String aggregateType, String aggregateId) {
        return "message " + messageId + " (" + type + ")"
                + (aggregateId.isEmpty() ? "" : " of aggregate " + aggregateType + " " + aggregateId);
    }

    public static void handlerIsDown(String handler, Throwable failure) {
        error(
                "OUTBOX-0413 handler " + handler
                        + " is failing across aggregates and is considered down: its failures are not counted,"
                        + " and one probe at a time checks for recovery (outbox.handler.down-after)",
                failure);
    }

    public static void handlerRecovered(String handler) {
        info("OUTBOX-0414 handler " + handler + " has recovered");
    }

    public static void handlerIsSaturated(String handler, int share, Duration after) {
        warn("OUTBOX-0475 handler " + handler + " occupies all " + share
                + " workers that it may use, and none of its calls has begun in the last " + after.toSeconds()
                + " s. Its deliveries wait in the database until these calls end; no attempt counts, and other"
                + " handlers continue. If calls hang, see outbox.handler.timeout; if they are slow, raise"
                + " outbox.relay.workers");
    }

    public static void handlerIsOverloaded(String handler, int queued, Duration longest) {
        warn(
                "OUTBOX-0481 handler " + handler + " is overloaded: its calls wait for more than " + longest.toSeconds()
                        + " s, and " + queued
                        + " are queued, and memory is full. Its deliveries wait in the database; no attempt counts, and other"
                        + " handlers continue. If that lasts, raise outbox.relay.workers, add nodes, or make its calls shorter");
    }

    public static void handlerHasCaughtUp(String handler) {
        info("OUTBOX-0482 handler " + handler + " is no longer overloaded");
    }

    public static void handlerHasRoom(String handler) {
        info("OUTBOX-0476 handler " + handler + " is no longer saturated");
    }

    public static void handlerInterrupted(String handler, MessageHead head, MessageBody body, Duration after) {
        warn("OUTBOX-0415 handler " + handler + " has been running for " + after.toMillis() + " ms on "
                + describe(head, body) + " and was interrupted (outbox.handler.timeout); the aggregate waits"
                + " until the call ends");
    }

    public static void workersStuck(int stuck) {
        error("OUTBOX-0416 " + stuck
                + " handler calls have ignored an interrupt, and no spare workers are left. Restart the node, and set"
                + " timeouts in the handlers for the calls that they make");
    }

    public static void outOfOrder(MessageHead head) {
        warn("OUTBOX-0417 " + describe(head) + " became visible after a later message of the same aggregate: two"
                + " transactions changed the aggregate concurrently without a lock or a version. Add one, or use"
                + " @Outboxed(serialize = true) on every method that publishes events of this aggregate");
    }

    public static void committedLate(MessageHead head) {
        warn("OUTBOX-0418 " + describe(head) + " became visible later than outbox.relay.commit-lag allows, or its"
                + " number was assigned twice: a later event of the same aggregate may already have been"
                + " delivered");
    }

    public static void noTransaction(MessageHead head, MessageBody body, String handler, Throwable failure) {
        warn(
                "OUTBOX-0480 could not begin a transaction for handler " + handler + " and " + describe(head, body)
                        + ", or could not claim its row: the handler was not called. It will be called again soon; no"
                        + " attempt is counted",
                failure);
    }

    public static void endUnknown(MessageHead head, MessageBody body, String handler, Throwable failure) {
        warn(
                "OUTBOX-0419 the success of handler " + handler + " for "
                        + describe(head, body)
                        + " is unknown or could not be recorded; its row is read again, and the handler is called again"
                        + " if need be",
                failure);
    }

    public static void writesPostponed(Throwable cause) {
        warn("OUTBOX-0421 could not store retries and dead letters; retrying (logged once per outage)", cause);
    }

    public static void writesRecovered(int failures) {
        info("OUTBOX-0431 retries and dead letters can be stored again after "
                + Counted.of(failures, "failed attempt"));
    }

    public static void writeRejected(Lease lease, FencedWrite write, Throwable cause) {
        error(
                "OUTBOX-0422 the database rejected " + write.description() + " in shard " + lease.shard()
                        + "; its lane is read again in a few seconds",
                cause);
    }

    public static void writeKept(Lease lease, FencedWrite write, Throwable cause) {
        error(
                "OUTBOX-0469 the database can't store " + write.description() + " in shard " + lease.shard()
                        + ": its disk is full, it has no memory or locks left, or a privilege is missing. The decision"
                        + " is kept and retried every few seconds, and its aggregate waits (logged once for each)",
                cause);
    }

    public static void acksPostponed(Throwable cause) {
        warn("OUTBOX-0423 could not record successful deliveries; retrying (logged once per outage)", cause);
    }

    public static void acksRecovered(int failures) {
        info("OUTBOX-0432 successful deliveries can be recorded again after " + Counted.of(failures, "failed attempt"));
    }

    /** @param body null if it was not read; then the trace is unknown */
    public static void ackRejected(String handler, MessageHead head, MessageBody body, Throwable cause) {
        error(
                "OUTBOX-0468 the database rejected the success record of handler " + handler + " for "
                        + describe(head, body)
                        + "; it is retried every 5 s, and later events of its aggregate wait."
                        + " If the node stops first, the handler is called again (logged once per message)",
                cause);
    }

    public static void iterationFailed(Throwable cause) {
        error(
                "OUTBOX-0424 an iteration of the relay loop failed; its state is read again from the database"
                        + " (logged once per outage)",
                cause);
    }

    public static void heartbeatFailed(Throwable cause) {
        warn(
                "OUTBOX-0425 the node's heartbeat failed; without one within the lease it starts no calls"
                        + " (logged once per outage)",
                cause);
    }

    public static void iterationsRecovered(int failures) {
        info("OUTBOX-0433 the relay has recovered after " + Counted.of(failures, "failed iteration"));
    }

    public static void heartbeatsRecovered(int failures) {
        info("OUTBOX-0434 heartbeats have recovered after " + Counted.of(failures, "failure"));
    }

    public static void loopCrashed(Throwable cause) {
        error(
                "OUTBOX-0437 an error ended an iteration of the relay loop: the node drops its shards and rejoins under"
                        + " a new name; after one lease they are taken over as after a crash",
                cause);
    }

    public static void threadRestarted(String name) {
        warn("OUTBOX-0426 the relay's " + name + " thread had ended and was restarted");
    }

    public static void threadInterrupted(String name, Throwable cause) {
        warn("OUTBOX-0427 the relay's " + name + " thread was interrupted", cause);
    }

    public static void drainBroken(Throwable cause) {
        warn(
                "OUTBOX-0483 a round of the relay's work failed during the stop, after the server had ended its threads:"
                        + " the stop no longer waits for running calls, and releases the shards in which nothing runs",
                cause);
    }

    public static void workerInterrupted(Throwable cause) {
        warn("OUTBOX-0428 a worker was interrupted between two calls; another one replaces it", cause);
    }

    public static void workerRejected(Throwable cause) {
        warn(
                "OUTBOX-0438 the executor rejected a task that calls handlers; the relay requests another one within"
                        + " a second (logged once per outage)",
                cause);
    }

    public static void workersAccepted(int failures) {
        info("OUTBOX-0439 the executor again accepts tasks that call handlers, after "
                + Counted.of(failures, "failed attempt"));
    }

    public static void leavingFailed(String owner, Throwable cause) {
        warn("OUTBOX-0429 node " + owner + " could not release its shards; their leases expire", cause);
    }

    /** @param handler its name, or {@code ?} if no handler is registered for the type */
    public static void handlerMissing(String type, String handler) {
        warn("OUTBOX-0430 " + type + " waits for handler " + handler + ", which this node does not have (? = no"
                + " handler is registered at all). Nothing is lost and no attempt is counted; a node that has"
                + " the handler takes over. If the handler was renamed, @HandlerName keeps its old name."
                + " Logged once per handler");
    }

    public static void ownHandlerRetired(String handler, Set<String> types) {
        warn("OUTBOX-0478 handler " + handler + " was retired for " + String.join(", ", types)
                + ", but this node still has it: new events are not delivered to it. To keep it, start the application"
                + " on this node again, which registers it; otherwise deploy without it (logged once per handler"
                + " until this changes)");
    }

    public static void paused(Pause pause) {
        info("OUTBOX-0447 " + pause.who() + " paused " + pause.target() + " at " + pause.since()
                + (pause.why().isEmpty() ? "" : " (" + pause.why() + ")")
                + ": this node makes no such calls until it is resumed; deliveries wait, and no attempt is counted");
    }

    public static void resumed(PauseTarget target) {
        info("OUTBOX-0448 resumed: " + target);
    }

    /** @param account where the user and the password are set */
    public static void waitingForDatabase(Throwable cause, String account) {
        String what = SqlFailure.isAccountRefused(cause)
                ? "refuses the user or the password (" + account + ")"
                : "does not answer";
        warn("OUTBOX-0451 the database " + what + ", so the relay has not started; retrying every second", cause);
    }

    /** @param what why: a sentence without its end */
    public static void executorReplaced(String executor, String what, String factory) {
        info("OUTBOX-0453 " + executor + " " + what + ": until the application is restarted, handlers run on threads"
                + " of " + factory);
    }

    /** @param what why: a sentence without its end */
    public static void executorNotUsed(String executor, String what) {
        info("OUTBOX-0477 " + executor + " " + what + ": until the application is restarted, handlers do not run on"
                + " it");
    }

    public static void supervisionFailed(Throwable cause) {
        error("OUTBOX-0452 relay supervision failed; retrying in one second", cause);
    }

    public static void noWebContext(int seconds) {
        warn("OUTBOX-0455 nothing is delivered: the database answers, but the relay has not started for " + seconds
                + " s because its @WebListener io.outboxed.ejb.WebContext was not called, or has failed. Put the outbox's"
                + " jars in a WAR whose web.xml is not metadata-complete, and whose absolute-ordering, if it has one,"
                + " has <others/> or names outbox_ejb; otherwise, and in an EAR, declare that class as a listener in"
                + " the web.xml of one WAR");
    }

    public static void taskFailed(Throwable cause) {
        error("OUTBOX-0456 a task of the relay ended with an error and will be restarted", cause);
    }

    public static void driverNotDeregistered(String driver, Throwable cause) {
        warn(
                "OUTBOX-0457 the JDBC driver " + driver
                        + " could not be deregistered; it keeps this application's classes in the server's memory",
                cause);
    }

    // ---- 05xx: handlers and deployment ----

    public static void handlersFound(int handlers, int types) {
        info("OUTBOX-0590 found " + Counted.of(handlers, "handler") + " for " + Counted.of(types, "event type"));
    }

    public static void asyncDeadLetterObserver(String observer) {
        warn("OUTBOX-0586 " + observer + " is @ObservesAsync: only the application's own Event.fireAsync calls it, the"
                + " outbox does not. To be told of dead letters, use @Observes");
    }

    public static void observerOfSupertype(String observer, String events) {
        warn("OUTBOX-0588 " + observer + " observes a supertype of " + events + ": only the application's own"
                + " Event.fire calls it, the outbox does not. To make it a handler, observe the class itself, or"
                + " @AnyEvent OutboxMessage");
    }

    public static void unused(Class<?> type, String bean) {
        warn("OUTBOX-0587 " + bean + " is a " + type.getSimpleName() + " with a qualifier, and is not used. Remove the"
                + " qualifier, or add @Default");
    }

    /** @param classes by aggregate type */
    public static void noCommonOrder(String group, String id, SortedMap<String, String> classes) {
        warn("OUTBOX-0589 the handler group " + group + " has events of several aggregate types, each with the"
                + " @AggregateId " + id + ": "
                + classes.entrySet().stream()
                        .map(each -> each.getValue() + " of \"" + each.getKey() + "\"")
                        .collect(Collectors.joining(", "))
                + ". These are different aggregates, without a common order. If they are the same one, give all of them"
                + " the same @EventType(aggregate = \"...\")");
    }

    public static void observerIsNoHandler(String observer, String qualifiers) {
        warn("OUTBOX-0591 " + observer + " observes an event type with the qualifier " + qualifiers + ": only the"
                + " application's own Event.fire calls it, the outbox does not. To make it a handler, remove"
                + " the qualifier");
    }

    public static void classifierFailed(HandlerKey handler, MessageBody message, Verdict instead, Throwable failure) {
        error(
                "OUTBOX-0592 the application's FailureClassifier "
                        + (failure == null
                                ? "returned null"
                                : "threw " + failure.getClass().getName()) + " for handler "
                        + handler.handler() + " of message " + message.id() + TraceId.of(message.headers()) + " ("
                        + handler.type() + "); the built-in verdict " + instead + " applies",
                failure);
    }

    public static void deadLetterObserverFailed(DeadLetter letter, Throwable failure) {
        error(
                "OUTBOX-0593 an observer of DeadLetter failed for handler " + letter.handler() + " of message "
                        + letter.messageId() + " (" + letter.type()
                        + "); the dead letter itself is stored, but observers are not called again",
                failure);
    }

    public static void propagatorNotUndone(String propagator, UUID message, String type, Throwable failure) {
        error(
                "OUTBOX-0594 the ContextPropagator " + propagator + " could not restore the context after message "
                        + message + " (" + type
                        + "): the delivery ends as its handler did, but the thread may still carry that context",
                failure);
    }

    public static void deadLetterNotAnnounced(UUID message, String handler, Throwable failure) {
        error(
                "OUTBOX-0595 the dead letter of handler " + handler + " and message " + message
                        + " could not be read, so no observer of DeadLetter is called; the dead letter itself is stored",
                failure);
    }

    public static void notificationsDropped(int queued) {
        warn("OUTBOX-0596 no observer of DeadLetter is called for further dead letters: " + queued
                + " wait because observers do not return; all of them are stored (logged once until none waits)");
    }

    public static void failureHandlerFailed(FailedAttempt attempt, String failureHandler, Throwable failure) {
        warn(
                "OUTBOX-0597 the FailureHandler " + failureHandler + " failed for attempt " + attempt.attempt()
                        + " of handler " + attempt.handler() + " with message " + attempt.messageId() + " ("
                        + attempt.type() + "); the delivery is not affected",
                failure);
    }

    public static void failureReportsDropped(int queued) {
        warn("OUTBOX-0598 further failed attempts are not reported to the application's FailureHandler: " + queued
                + " wait because it is slow or does not return; deliveries are not affected (logged once until none"
                + " waits)");
    }

    // ---- 06xx: start-up report, metrics, health, traces ----

    /** @param report several lines, without secrets */
    public static void startupReport(String report) {
        report(Level.INFO, "OUTBOX-0620 " + report);
    }

    public static void startupReportFailed(Throwable failure) {
        warn("OUTBOX-0621 could not create the start-up report; the relay is not affected", failure);
    }

    public static void tracingFailed(Throwable failure) {
        warn(
                "OUTBOX-0611 OpenTelemetry failed; events are still stored and delivered, some of them without a trace (logged"
                        + " once)",
                failure);
    }

    public static void metricsChosen(String api, String why) {
        info("OUTBOX-0601 metrics go to " + api + ": " + why + " (outbox.metrics)");
    }

    public static void metricsMissing(String wanted, String why) {
        warn("OUTBOX-0690 outbox.metrics is " + wanted + ", but " + why + ": no metrics are recorded; everything"
                + " else works. Use auto for what the server has, none to silence this");
    }

    public static void samplingFailed(Throwable cause) {
        warn(
                "OUTBOX-0691 could not read the database's clock, or count the backlog, which one node does; the"
                        + " backlog's last figures are shown for four intervals (logged once per outage)",
                cause);
    }

    public static void samplingRecovered(int failures) {
        info("OUTBOX-0692 the database's clock can be read again, or the backlog counted, which one node does, after "
                + Counted.of(failures, "failed attempt"));
    }

    // ---- 09xx: admin API, bulk operations, edited events ----

    public static void contentRead(String user, UUID messageId) {
        info("OUTBOX-0901 user " + user + " has read the content of message " + messageId);
    }

    public static void adminUnavailable(Throwable failure) {
        warn(
                "OUTBOX-0902 a request of the admin API was answered with 503: the database did not answer, or a row was"
                        + " locked",
                failure);
    }

    public static void adminFailed(Throwable failure) {
        error("OUTBOX-0903 a request of the admin API was answered with 500", failure);
    }

    public static void bulkStarted(UUID id, Kind kind, long matched, String who) {
        info("OUTBOX-0910 bulk operation " + id + " was started by " + who + ": "
                + kind.name().toLowerCase(Locale.ROOT) + " of " + selected(kind, matched)
                + "; the node that relays shard 0 works on it");
    }

    public static void bulkComplete(UUID id, Kind kind, long changed, long matched) {
        info("OUTBOX-0911 bulk operation " + id + " is complete: it changed " + changed + " of "
                + selected(kind, matched)
                + (changed < matched ? "; the others had changed meanwhile or were skipped" : ""));
    }

    private static String selected(Kind kind, long counted) {
        return kind == Kind.RETRY
                ? Counted.upTo(DeadLetters.MAX_COUNT, counted, "delivery that waits", "deliveries that wait")
                : Counted.upTo(DeadLetters.MAX_COUNT, counted, "dead letter", "dead letters");
    }

    public static void bulkCancelled(UUID id, Kind kind, long changed, String who) {
        info("OUTBOX-0912 bulk operation " + id + " was cancelled by " + who + " after it had changed "
                + (kind == Kind.RETRY
                        ? Counted.of(changed, "delivery", "deliveries")
                        : Counted.of(changed, "dead letter")));
    }

    public static void edited(DeadLetter letter, UUID newId, String who) {
        info("OUTBOX-0913 " + who + " replaced the dead letter of "
                + describe(letter.messageId(), letter.type(), letter.aggregateType(), letter.aggregateId())
                + " for handler " + letter.handler() + " with event " + newId + ", which has another payload");
    }

    // ---- 043x, 046x: maintenance of the tables ----

    public static void maintenanceFailed(String task, Throwable cause) {
        warn(
                "OUTBOX-0435 the maintenance task \"" + task + "\" failed and is retried after its interval;"
                        + " deliveries are not affected (logged once per outage): " + FailureText.messageOrClass(cause),
                cause);
    }

    public static void maintenanceRecovered(String task, int failures) {
        info("OUTBOX-0436 the maintenance task \"" + task + "\" works again after "
                + Counted.of(failures, "failed attempt"));
    }

    public static void cleaning(String table, long rows) {
        info("OUTBOX-0461 deleted " + Counted.of(rows, "old row") + " from " + table + " so far");
    }

    public static void cleaned(String table, long rows, String age) {
        info("OUTBOX-0462 deleted " + Counted.of(rows, "row") + " older than " + age + " from " + table);
    }

    public static void retiredHandlerRemoved(String type, String handler) {
        info("OUTBOX-0463 removed the registration of the retired handler " + handler + " for " + type
                + ": nothing waits for it");
    }

    public static void partitionChange(String statement) {
        info("OUTBOX-0464 changing the partitions of the history: " + statement);
    }

    public static void partitionsPostponed(String statement, Duration waited) {
        warn("OUTBOX-0465 a transaction has used the history for longer than " + waited.toSeconds()
                + " s, so its partitions were not changed; the next run retries: " + statement);
    }

    /** @param rows what is wrong with them */
    public static void partitionTailTooLong(String table, String tail, String rows) {
        warn("OUTBOX-0466 partition " + tail + " of " + table + " holds " + rows + ": adding partitions would lock the"
                + " history for too long, so they were not added. Add them manually at a quiet time"
                + " (docs/tables.md#history)");
    }

    public static void partitionsBusy() {
        warn("OUTBOX-0470 another session holds the lock for the maintenance of the history's partitions, as in the"
                + " previous run, so this node neither creates nor drops any; it keeps trying. Unless an operator is"
                + " converting the history, find the session and end it (docs/tables.md#history)");
    }

    /** @param failure null if the handler may not have failed: a row had changed, or a commit got no answer */
    public static void batchFailed(String handler, int size, MessageHead first, MessageBody body, Throwable failure) {
        warn(
                "OUTBOX-0467 a batch call of handler " + handler + " with " + size + " events, starting with "
                        + describe(first, body) + ", could not be committed; no attempt is counted, and each event is"
                        + " now delivered on its own",
                failure);
    }

    public static void metricsRefused(Throwable cause) {
        warn(
                "OUTBOX-0694 the metrics API rejected a series or a value, which is now missing; deliveries are not affected"
                        + " (logged once)",
                cause);
    }

    // ---- 08xx: Kafka ----

    public static void kafkaNotReady(String brokers, Set<String> problems) {
        report(
                "OUTBOX-0890 events can't be forwarded to Kafka at " + brokers + "; they are stored and wait, and no"
                        + " attempt is counted (each problem is logged once per outage)",
                problems);
    }

    public static void kafkaLimitNotChecked(String topic, String why) {
        warn("OUTBOX-0889 could not check whether topic " + topic + " accepts records as large as the producer may"
                + " send: " + why
                + ". An event that is too large for the topic would become a dead letter (logged once per topic)");
    }

    public static void kafkaReady(String brokers) {
        info("OUTBOX-0891 Kafka at " + brokers + " accepts events again; waiting events are being forwarded");
    }

    public static void unknownKafkaKey(String name) {
        warn("OUTBOX-0892 " + name + " is neither a key of outbox-kafka nor a setting of Kafka's producer; it is passed"
                + " on, and has no effect unless a class that the producer loads reads it");
    }

    public static void kafkaFenced(String transactionalId) {
        warn("OUTBOX-0893 Kafka has refused a transaction of " + transactionalId
                + ", because another producer has since"
                + " used this transactional id; nothing is lost, and the events are sent again (logged once a minute)."
                + " This is normal after a node was frozen. If it continues, another application has the same"
                + " outbox.kafka.client.id");
    }

    public static void payloadTooLargeForKafka(long payload, long request, long most) {
        warn("OUTBOX-0894 payloads of up to " + payload + " bytes can be published (outbox.payload.max-bytes), but the"
                + " producer sends records of at most " + request + " bytes with key and headers"
                + " (outbox.kafka.max.request.size). An event that is too large would become a dead letter. Set"
                + " outbox.payload.max-bytes to at most " + most + " wherever events are published and here, or raise"
                + " outbox.kafka.max.request.size and max.message.bytes of the topics");
    }

    // ---- 08xx: JMS ----

    public static void jmsNotReady(Set<String> problems) {
        report(
                "OUTBOX-0895 events can't be forwarded by JMS; they are stored and wait, and no attempt is counted (each"
                        + " problem is logged once per outage)",
                problems);
    }

    public static void jmsReady() {
        info("OUTBOX-0896 events are forwarded by JMS again, including those that have waited");
    }

    public static void unknownJmsKey(String name) {
        warn("OUTBOX-0897 " + name + " is not a key of outbox-jms and has no effect (docs/jms.md)");
    }

    private static String next(Resolution resolution) {
        if (resolution instanceof Resolution.Retry retry) {
            return "attempt " + (retry.attempts() + 1) + " is due in " + retry.delayMicros() / 1000 + " ms";
        }
        return resolution instanceof Resolution.Blocked
                ? "dead letter; its aggregate waits for an operator"
                : "dead letter; its aggregate continues";
    }

    private static String describe(MessageHead head) {
        return head.type() + " " + head.id();
    }

    /** @param body null if it was not read; then the trace is unknown */
    private static String describe(MessageHead head, MessageBody body) {
        return describe(head) + (body == null ? "" : TraceId.of(body.headers()));
    }

    static String oneLine(String text) {
        return CONTROL.matcher(text).replaceAll(" ");
    }

    /** @param problems stay on lines of their own */
    private static void report(String text, Set<String> problems) {
        report(
                Level.ERROR,
                problems.stream()
                        .map(OutboxLog::oneLine)
                        .collect(Collectors.joining("\n  ", oneLine(text) + ":\n  ", "")));
    }

    private static void report(Level level, String lines) {
        LOG.log(level, CONTROL_WITHIN_LINE.matcher(lines).replaceAll(" "));
    }

    private static void info(String text) {
        LOG.log(Level.INFO, oneLine(text));
    }

    private static void warn(String text) {
        LOG.log(Level.WARNING, oneLine(text));
    }

    private static void warn(String text, Throwable cause) {
        LOG.log(Level.WARNING, oneLine(text), FailureText.printable(cause));
    }

    private static void error(String text) {
        LOG.log(Level.ERROR, oneLine(text));
    }

    private static void error(String text, Throwable cause) {
        LOG.log(Level.ERROR, oneLine(text), FailureText.printable(cause));
    }

    private static void debug(String text) {
        LOG.log(Level.DEBUG, oneLine(text));
    }
}
