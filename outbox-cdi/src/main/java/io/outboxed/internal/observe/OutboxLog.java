package io.outboxed.internal.observe;

import io.outboxed.DeadLetter;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MessageBody;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.Resolution;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.NodeBeat;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;

/** Every log line of the product. Ids are never reused; no line contains a payload, a header or a secret. */
public final class OutboxLog {
    private static final Logger LOG = System.getLogger("io.outboxed");

    private OutboxLog() {}

    // ---- 01xx: capture ----

    public static void wakeUpFailed(Set<Integer> shards, Throwable failure) {
        error(
                "OUTBOX-0190 events in shards " + shards + " were committed, but the relay could not be woken;"
                        + " its next poll will find them",
                failure);
    }

    public static void entityAsEvent(String eventClass) {
        warn(
                "OUTBOX-0191 {0} is both an event and a JPA entity: the stored payload changes with the entity''s mapping,"
                        + " and serialising it loads lazy relations. Use a separate record as the event",
                eventClass);
    }

    // ---- 02xx: configuration ----

    public static void unknownKey(String sentence) {
        warn("OUTBOX-0290 {0}", sentence);
    }

    // ---- 03xx: database ----

    public static void optionalDropped(StoreException refused) {
        warn(
                "OUTBOX-0390 the database rejected an error text or a history row; it was left out, the message itself was"
                        + " processed as intended",
                refused);
    }

    // ---- 04xx: relay ----

    public static void joined(String owner, String label, long registryVersion) {
        info("OUTBOX-0401 node {0} ({1}) joined at handler registry version {2}", owner, label, registryVersion);
    }

    public static void declaredDead(String owner) {
        warn("OUTBOX-0402 node {0} was declared dead by another node; dropping its shards and rejoining", owner);
    }

    public static void nodeDied(NodeBeat node) {
        warn(
                "OUTBOX-0403 node {0} ({1}) has sent no heartbeat for one lease; taking over its shards",
                node.owner(), node.label());
    }

    public static void shardLost(Lease lease) {
        warn(
                "OUTBOX-0405 lost shard {0} at epoch {1}: another node owns it now; calls still running here can only"
                        + " record a success",
                lease.shard(), lease.epoch());
    }

    public static void shardHandedOver(Lease lease, String to) {
        debug("OUTBOX-0406 handed over shard {0} to node {1}", lease.shard(), to);
    }

    public static void stopped(String owner, int released, int left) {
        info(
                "OUTBOX-0407 node {0} stopped: {1} shards released, {2} left to expire because handlers are still running"
                        + " there",
                owner, released, left);
    }

    public static void deliveryFailed(
            MessageHead head, MessageBody body, int attempt, Resolution verdict, Throwable failure) {
        warn(
                "OUTBOX-0411 handler " + verdict.handler() + " failed for " + describe(head, body) + " on attempt "
                        + attempt
                        + ": " + next(verdict),
                failure);
    }

    public static void deadLetter(MessageHead head, MessageBody body, Resolution verdict) {
        error(
                "OUTBOX-0412 dead letter: gave up on handler {0} for {1} after {2} attempts: {3}",
                verdict.handler(), describe(head, body), verdict.attempts(), verdict.error());
    }

    public static void handlerIsDown(String handler, Throwable failure) {
        error(
                "OUTBOX-0413 handler " + handler
                        + " is failing across aggregates and is considered down: failures are not counted,"
                        + " one probe at a time checks for recovery (outbox.handler.down-after)",
                failure);
    }

    public static void handlerIsBack(String handler) {
        info("OUTBOX-0414 handler {0} has recovered", handler);
    }

    public static void handlerInterrupted(String handler, MessageHead head, MessageBody body, Duration after) {
        warn(
                "OUTBOX-0415 interrupting handler {0} after {1} ms on {2} (outbox.handler.timeout); the aggregate waits until"
                        + " the call ends",
                handler, after.toMillis(), describe(head, body));
    }

    public static void workersStuck(int stuck) {
        error(
                "OUTBOX-0416 {0} handler calls are still running after an interrupt: no more spare workers are available",
                stuck);
    }

    public static void outOfOrder(MessageHead head) {
        warn(
                "OUTBOX-0417 {0} became visible after a later message of its aggregate: two transactions changed the"
                        + " aggregate concurrently without a lock or version",
                describe(head));
    }

    public static void committedLate(MessageHead head) {
        warn(
                "OUTBOX-0418 {0} became visible later than outbox.relay.commit-lag allows, or its sequence number was"
                        + " assigned twice: a later event of its aggregate may have been delivered first",
                describe(head));
    }

    public static void endUnclear(MessageHead head, MessageBody body, String handler, Throwable failure) {
        warn(
                "OUTBOX-0419 unknown outcome of the transaction of handler " + handler + " for "
                        + describe(head, body)
                        + "; checking its row and calling the handler again if it was not committed",
                failure);
    }

    public static void decisionsPostponed(Throwable cause) {
        warn(
                "OUTBOX-0421 could not store delivery decisions (retries, dead letters, waits); retrying (logged once per"
                        + " outage)",
                cause);
    }

    public static void decisionsWorkAgain(int failures) {
        info("OUTBOX-0431 storing delivery decisions works again after {0} failed attempts", failures);
    }

    public static void decisionRefused(Lease lease, FencedWrite decision, Throwable cause) {
        error(
                "OUTBOX-0422 the database rejected a " + decision.getClass().getSimpleName() + " in shard "
                        + lease.shard() + "; its lane will be read again in a few seconds",
                cause);
    }

    public static void settlingPostponed(Throwable cause) {
        warn("OUTBOX-0423 could not record successful deliveries; retrying (logged once per outage)", cause);
    }

    public static void settlingWorksAgain(int failures) {
        info("OUTBOX-0432 recording successful deliveries works again after {0} failed attempts", failures);
    }

    public static void turnFailed(Throwable cause) {
        error(
                "OUTBOX-0424 an iteration of the relay loop failed; the messages in memory are read again from the database"
                        + " (logged once per outage)",
                cause);
    }

    public static void beatFailed(Throwable cause) {
        warn(
                "OUTBOX-0425 heartbeat failed; without one within the lease this node starts no calls (logged once per"
                        + " outage)",
                cause);
    }

    public static void turnsWorkAgain(int failures) {
        info("OUTBOX-0433 the relay loop works again after {0} failed iterations", failures);
    }

    public static void beatsWorkAgain(int failures) {
        info("OUTBOX-0434 heartbeats work again after {0} failures", failures);
    }

    public static void strandRestarted(String name) {
        warn("OUTBOX-0426 the relay''s {0} thread had ended and was restarted", name);
    }

    public static void strandInterrupted(String name, Throwable cause) {
        warn("OUTBOX-0427 the relay's " + name + " thread was interrupted", cause);
    }

    public static void workerInterrupted(Throwable cause) {
        warn("OUTBOX-0428 a worker was interrupted between two calls; replacing it", cause);
    }

    public static void leavingFailed(String owner, Throwable cause) {
        warn("OUTBOX-0429 node " + owner + " could not release its shards; they expire after one lease", cause);
    }

    /** @param handler its name, or {@code ?} if the type has no handler */
    public static void handlerMissing(String type, String handler) {
        warn(
                "OUTBOX-0430 {0} is waiting for handler {1}, which this node does not have (? = no handler is registered"
                        + " for the type). Nothing is lost and no attempt is counted; a node that has the handler takes over."
                        + " If it was renamed, keep its old name with @HandlerName. Logged once per handler",
                type, handler);
    }

    public static void waitingForDatabase(Throwable cause) {
        warn("OUTBOX-0451 the database is not reachable: the relay has not started; retrying every second", cause);
    }

    public static void threadsReplaced(String executor, int missing, String factory) {
        info(
                "OUTBOX-0453 {1} of the relay threads requested from {0} have not started; using {2} for them instead",
                executor, missing, factory);
    }

    public static void supervisionFailed(Throwable cause) {
        error("OUTBOX-0452 relay supervision failed; retrying in one second", cause);
    }

    public static void noWebContext(int seconds) {
        warn(
                "OUTBOX-0455 the relay has not started within {0} s although the database is reachable: its @WebListener"
                        + " io.outboxed.ejb.WebContext was not called. Nothing is delivered. The outbox jars belong in a WAR"
                        + " whose web.xml does not set metadata-complete; in an EAR, the web.xml of one WAR has to name that"
                        + " class as a listener",
                seconds);
    }

    public static void taskFailed(Throwable cause) {
        error("OUTBOX-0456 a relay task ended with an unexpected error; it will be restarted", cause);
    }

    public static void driverNotDeregistered(String driver, Throwable cause) {
        warn(
                "OUTBOX-0457 the JDBC driver " + driver
                        + " could not be deregistered; it keeps this application in the server's memory",
                cause);
    }

    // ---- 05xx: handlers and deployment ----

    public static void handlersFound(int handlers, int types) {
        info("OUTBOX-0590 found {0} handlers for {1} event types", handlers, types);
    }

    public static void observerIsNoHandler(String observer, String qualifiers) {
        warn(
                "OUTBOX-0591 {0} observes an event type with the qualifier {1}: only the application''s own Event.fire calls"
                        + " it, the outbox does not. To make it a handler, remove the qualifier",
                observer, qualifiers);
    }

    public static void classifierFailed(HandlerKey handler, MessageBody message, Throwable failure) {
        error(
                "OUTBOX-0592 the application's FailureClassifier "
                        + (failure == null
                                ? "returned null"
                                : "threw " + failure.getClass().getName()) + " for handler "
                        + handler.handler() + " of message " + message.id() + TraceId.of(message.headers()) + " ("
                        + handler.type() + "); the delivery is retried",
                failure);
    }

    public static void deadLetterObserverFailed(DeadLetter letter, Throwable failure) {
        error(
                "OUTBOX-0593 an observer of DeadLetter failed for handler " + letter.handler() + " of message "
                        + letter.messageId() + " (" + letter.type()
                        + "); the dead letter itself is stored, but its observers are not called again",
                failure);
    }

    public static void propagatorNotUndone(String propagator, UUID message, String type, Throwable failure) {
        error(
                "OUTBOX-0594 the ContextPropagator " + propagator
                        + " could not restore the thread's context after message "
                        + message + " (" + type
                        + "): the delivery is not affected, but the thread may still carry values that it set",
                failure);
    }

    // ---- 06xx: start-up report, metrics, health, traces ----

    /** @param report several lines, without secrets */
    public static void startupReport(String report) {
        info("OUTBOX-0620 " + report);
    }

    public static void startupReportFailed(Throwable failure) {
        warn("OUTBOX-0621 could not create the start-up report; the relay is not affected", failure);
    }

    public static void tracingFailed(Throwable failure) {
        warn(
                "OUTBOX-0611 OpenTelemetry failed; events are still stored and delivered, but some may have no trace. Logged"
                        + " once",
                failure);
    }

    public static void metricsChosen(String api, String why) {
        info("OUTBOX-0601 metrics go to {0}: {1} (outbox.metrics)", api, why);
    }

    public static void metricsMissing(String wanted, String why) {
        warn(
                "OUTBOX-0690 outbox.metrics is {0}, but {1}: no metrics are reported, everything else works. Use auto for the"
                        + " API that the server has, or none to report nothing",
                wanted, why);
    }

    public static void samplingFailed(Throwable cause) {
        warn(
                "OUTBOX-0691 could not count the backlog; reporting the last figures for up to four intervals and retrying"
                        + " (logged once per outage)",
                cause);
    }

    public static void samplingWorksAgain(int failures) {
        info("OUTBOX-0692 counting the backlog works again after {0} failed attempts", failures);
    }

    public static void metricsRefused(Throwable cause) {
        warn(
                "OUTBOX-0694 the metrics API rejected a metric or a value of the outbox: it will be missing; deliveries are"
                        + " not affected (logged once)",
                cause);
    }

    private static String next(Resolution verdict) {
        if (verdict instanceof Resolution.Retry retry) {
            return "attempt " + (retry.attempts() + 1) + " is due in " + retry.delayMicros() / 1000 + " ms";
        }
        return verdict instanceof Resolution.Blocked
                ? "dead letter, its aggregate is blocked until an operator acts"
                : "dead letter, its aggregate continues";
    }

    private static String describe(MessageHead head) {
        return head.type() + " " + head.id();
    }

    /** @param body null if it was not read; the trace is then unknown */
    private static String describe(MessageHead head, MessageBody body) {
        return describe(head) + (body == null ? "" : TraceId.of(body.headers()));
    }

    private static void info(String pattern, Object... values) {
        LOG.log(Level.INFO, pattern, values);
    }

    private static void warn(String pattern, Object... values) {
        LOG.log(Level.WARNING, pattern, values);
    }

    private static void warn(String text, Throwable cause) {
        LOG.log(Level.WARNING, text, cause);
    }

    private static void error(String pattern, Object... values) {
        LOG.log(Level.ERROR, pattern, values);
    }

    private static void error(String text, Throwable cause) {
        LOG.log(Level.ERROR, text, cause);
    }

    private static void debug(String pattern, Object... values) {
        LOG.log(Level.DEBUG, pattern, values);
    }
}
