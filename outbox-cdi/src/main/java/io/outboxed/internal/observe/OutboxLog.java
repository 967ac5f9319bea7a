package io.outboxed.internal.observe;

import io.outboxed.DeadLetter;
import io.outboxed.internal.store.Body;
import io.outboxed.internal.store.Decision;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.Head;
import io.outboxed.internal.store.Lease;
import io.outboxed.internal.store.NodeBeat;
import io.outboxed.internal.store.StoreException;
import io.outboxed.internal.store.Verdict;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;

/** Every log line of the product, each with an id that is never used again. Never a payload, a header or a secret. */
public final class OutboxLog {
    private static final Logger LOG = System.getLogger("io.outboxed");

    private OutboxLog() {}

    // ---- 01xx: capture ----

    public static void wakeUpFailed(Set<Integer> shards, Throwable failure) {
        error(
                "OUTBOX-0190 events in the shards " + shards + " were committed, but the relay could not be woken;"
                        + " its next poll finds them",
                failure);
    }

    public static void entityAsEvent(String eventClass) {
        warn(
                "OUTBOX-0191 {0} is an event and a JPA entity: what is stored changes with the entity''s mapping, and lazy"
                        + " relations are read while it is serialised. A record of what happened is safer",
                eventClass);
    }

    // ---- 02xx: configuration ----

    public static void unknownKey(String sentence) {
        warn("OUTBOX-0290 {0}", sentence);
    }

    // ---- 03xx: database ----

    public static void optionalDropped(StoreException refused) {
        warn(
                "OUTBOX-0390 the database refused an error text or a row of the history; it was left out, the message itself"
                        + " was settled or decided as intended",
                refused);
    }

    // ---- 04xx: relay ----

    public static void joined(String owner, String label, long generation) {
        info("OUTBOX-0401 node {0} ({1}) joined; it knows the handlers up to version {2}", owner, label, generation);
    }

    public static void declaredDead(String owner) {
        warn("OUTBOX-0402 node {0} was declared dead by another node: it drops its shards and joins again", owner);
    }

    public static void nodeDied(NodeBeat node) {
        warn(
                "OUTBOX-0403 node {0} ({1}) has not moved for one lease: its shards are taken over",
                node.owner(), node.label());
    }

    public static void shardLost(Lease lease) {
        warn(
                "OUTBOX-0405 shard {0} was lost at epoch {1}: another node decides now, calls that run can only record a"
                        + " success",
                lease.shard(), lease.epoch());
    }

    public static void shardHandedOver(Lease lease, String to) {
        debug("OUTBOX-0406 shard {0} was handed over to node {1}", lease.shard(), to);
    }

    public static void stopped(String owner, int released, int left) {
        info(
                "OUTBOX-0407 node {0} stopped: {1} shards given back, {2} left to lapse because handlers still run there",
                owner, released, left);
    }

    public static void deliveryFailed(Head head, Body body, int attempt, Verdict verdict, Throwable failure) {
        warn(
                "OUTBOX-0411 handler " + verdict.handler() + " failed with " + describe(head, body) + " on try "
                        + attempt
                        + ": " + next(verdict),
                failure);
    }

    public static void deadLetter(Head head, Body body, Verdict verdict) {
        error(
                "OUTBOX-0412 dead letter: handler {0} was given up for {1} after {2} tries: {3}",
                verdict.handler(), describe(head, body), verdict.attempts(), verdict.error());
    }

    public static void handlerIsDown(String handler, Throwable failure) {
        error(
                "OUTBOX-0413 handler " + handler
                        + " fails for everybody: it is held to be down, its tries are not counted"
                        + " and one probe at a time finds out when it is back (outbox.handler.down-after)",
                failure);
    }

    public static void handlerIsBack(String handler) {
        info("OUTBOX-0414 handler {0} is back", handler);
    }

    public static void handlerInterrupted(String handler, Head head, Body body, Duration after) {
        warn(
                "OUTBOX-0415 handler {0} has been running for {1} ms with {2}: it is interrupted (outbox.handler.timeout); its"
                        + " aggregate waits until it ends",
                handler, after.toMillis(), describe(head, body));
    }

    public static void workersStuck(int stuck) {
        error(
                "OUTBOX-0416 {0} handlers do not end although they were interrupted: no further workers replace them",
                stuck);
    }

    public static void outOfOrder(Head head) {
        warn(
                "OUTBOX-0417 {0} became visible after a later message of its aggregate: two transactions changed the"
                        + " aggregate at once without a lock or version",
                describe(head));
    }

    public static void committedLate(Head head) {
        warn(
                "OUTBOX-0418 {0} became visible later than outbox.relay.commit-lag allows, or its number was given out once"
                        + " more: a later event of its aggregate may have been delivered before it",
                describe(head));
    }

    public static void endUnclear(Head head, Body body, String handler, Throwable failure) {
        warn(
                "OUTBOX-0419 the database did not say how the transaction of handler " + handler + " with "
                        + describe(head, body)
                        + " ended; its row tells, and there is another try if it did not succeed",
                failure);
    }

    public static void decisionsPostponed(Throwable cause) {
        warn("OUTBOX-0421 decisions could not be stored; tried again until they are, said once until it works", cause);
    }

    public static void decisionsWorkAgain(int failures) {
        info("OUTBOX-0431 decisions are stored again after {0} failed tries", failures);
    }

    public static void decisionRefused(Lease lease, Decision decision, Throwable cause) {
        error(
                "OUTBOX-0422 the database refused a " + decision.getClass().getSimpleName() + " in shard "
                        + lease.shard() + "; its lane is read again in some seconds",
                cause);
    }

    public static void settlingPostponed(Throwable cause) {
        warn(
                "OUTBOX-0423 the success of deliveries could not be recorded; tried again until it is, said once until it"
                        + " works",
                cause);
    }

    public static void settlingWorksAgain(int failures) {
        info("OUTBOX-0432 successes are recorded again after {0} failed tries", failures);
    }

    public static void turnFailed(Throwable cause) {
        error(
                "OUTBOX-0424 a turn of the relay failed; what was in memory is read again from the database, said once until it works",
                cause);
    }

    public static void beatFailed(Throwable cause) {
        warn(
                "OUTBOX-0425 the node's beat failed; without one within the lease it starts nothing, said once until it works",
                cause);
    }

    public static void turnsWorkAgain(int failures) {
        info("OUTBOX-0433 the relay works again after {0} failed turns", failures);
    }

    public static void beatsWorkAgain(int failures) {
        info("OUTBOX-0434 the node beats again after {0} failed beats", failures);
    }

    public static void strandRestarted(String name) {
        warn("OUTBOX-0426 the relay''s {0} had ended and was started again", name);
    }

    public static void strandInterrupted(String name, Throwable cause) {
        warn("OUTBOX-0427 the relay's " + name + " was interrupted", cause);
    }

    public static void workerInterrupted(Throwable cause) {
        warn("OUTBOX-0428 a worker was interrupted between two calls; another one takes its place", cause);
    }

    public static void leavingFailed(String owner, Throwable cause) {
        warn("OUTBOX-0429 node " + owner + " could not give its shards back; they lapse after one lease", cause);
    }

    /** @param handler its name, or {@code ?} where nobody handles the type */
    public static void handlerMissing(String type, String handler) {
        warn(
                "OUTBOX-0430 {0} waits for handler {1}, which this node does not have (? = no handler is registered at"
                        + " all): nothing is lost and no attempt is counted; a node that has it takes over. Was it renamed or"
                        + " removed? @HandlerName keeps a name. Said once for each handler",
                type, handler);
    }

    public static void waitingForDatabase(Throwable cause) {
        warn("OUTBOX-0451 the database does not answer: the relay is not started, it tries again every second", cause);
    }

    public static void threadsReplaced(String executor, int missing, String factory) {
        info(
                "OUTBOX-0453 {1} of the threads that the relay asked {0} for have not begun; as many come from {2} instead",
                executor, missing, factory);
    }

    public static void supervisionFailed(Throwable cause) {
        error("OUTBOX-0452 looking after the relay failed; it is done again in a second", cause);
    }

    public static void noWebContext(int seconds) {
        warn(
                "OUTBOX-0455 the relay has not started for {0} s although the database answers: its @WebListener"
                        + " io.outboxed.ejb.WebContext was not called. Nothing is delivered. The outbox''s jars belong into a"
                        + " WAR whose web.xml does not say metadata-complete; in an EAR, the web.xml of one WAR has to name"
                        + " that class as a listener",
                seconds);
    }

    public static void taskFailed(Throwable cause) {
        error("OUTBOX-0456 a task of the relay ended with an error; what it was is started again", cause);
    }

    public static void driverNotDeregistered(String driver, Throwable cause) {
        warn(
                "OUTBOX-0457 the JDBC driver " + driver
                        + " could not be deregistered, and keeps this application in the server's memory",
                cause);
    }

    // ---- 05xx: handlers and deployment ----

    public static void handlersFound(int handlers, int types) {
        info("OUTBOX-0590 found {0} handlers of {1} event types", handlers, types);
    }

    public static void observerIsNoHandler(String observer, String qualifiers) {
        warn(
                "OUTBOX-0591 {0} observes an event type with {1}: the outbox does not call it, only the application's own"
                        + " Event.fire does. To make it a handler, leave out the qualifier",
                observer, qualifiers);
    }

    public static void classifierFailed(HandlerKey handler, Body message, Throwable failure) {
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
                        + "); the dead letter itself is stored, its observers are not called again",
                failure);
    }

    public static void propagatorNotUndone(String propagator, UUID message, String type, Throwable failure) {
        error(
                "OUTBOX-0594 the ContextPropagator " + propagator + " could not undo what it did for message "
                        + message + " (" + type
                        + "): the delivery ends as its handler did, but the thread may still carry what it set",
                failure);
    }

    public static void deadLetterNotAnnounced(UUID message, String handler, Throwable failure) {
        error(
                "OUTBOX-0595 the dead letter of handler " + handler + " and message " + message
                        + " could not be read, so no observer of DeadLetter is called; the dead letter itself is stored",
                failure);
    }

    // ---- 06xx: start-up report, metrics, health, traces ----

    /** @param report several lines, without secrets */
    public static void startupReport(String report) {
        info("OUTBOX-0620 " + report);
    }

    public static void startupReportFailed(Throwable failure) {
        warn("OUTBOX-0621 the start-up report could not be made; the relay works all the same", failure);
    }

    public static void tracingFailed(Throwable failure) {
        warn(
                "OUTBOX-0611 OpenTelemetry failed; events are stored and delivered all the same, some of them without a trace."
                        + " Said once",
                failure);
    }

    public static void metricsChosen(String api, String why) {
        info("OUTBOX-0601 metrics go to {0}: {1} (outbox.metrics)", api, why);
    }

    public static void metricsMissing(String wanted, String why) {
        warn(
                "OUTBOX-0690 outbox.metrics is {0}, but {1}: nothing is measured, all else works. auto takes what the server"
                        + " has, none is silent",
                wanted, why);
    }

    public static void samplingFailed(Throwable cause) {
        warn(
                "OUTBOX-0691 the backlog could not be counted; its last figures are shown for four intervals, tried again until"
                        + " it works, said once",
                cause);
    }

    public static void samplingWorksAgain(int failures) {
        info("OUTBOX-0692 the backlog is counted again after {0} failed tries", failures);
    }

    public static void metricsRefused(Throwable cause) {
        warn(
                "OUTBOX-0694 the metrics API refused a series or a figure of the outbox: that one is missing, deliveries go on;"
                        + " said once",
                cause);
    }

    private static String next(Verdict verdict) {
        if (verdict instanceof Verdict.Retry retry) {
            return "try " + (retry.attempts() + 1) + " is due in " + retry.delayMicros() / 1000 + " ms";
        }
        return verdict instanceof Verdict.Blocked
                ? "dead letter, its aggregate waits for an operator"
                : "dead letter, its aggregate goes on";
    }

    private static String describe(Head head) {
        return head.type() + " " + head.id();
    }

    /** @param body null where it was not read: then the trace is not known */
    private static String describe(Head head, Body body) {
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
