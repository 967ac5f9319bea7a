package io.outboxed.internal.relay;

import io.outboxed.PermanentFailureException;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.StoredResolutions;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** When and how often handlers are called, against what the database says and the policy allows. */
final class Attempts implements StoredResolutions {
    /** After this many attempts in a row without a known outcome, the next one counts as a failure. */
    private static final int IN_A_ROW = 3;

    private final History history;
    private final int maxAttempts;
    /** An aggregate that is claimed alone may have another node after each call, and each of them counts for itself. */
    private final int owners;

    private final boolean undisturbed;
    /** A shard changes hands only when nothing of it is left to be stored. */
    private final boolean keepsShards;
    /** Calls of a handler that is down are not counted. */
    private final boolean probes;

    private final Set<String> forwarders;
    private final ProbeOrder probeOrder;

    private final Map<Key, Count> counts = new HashMap<>();
    private int faults;

    Attempts(History history, SimulatedPlan plan, ProbeOrder probeOrder) {
        this.history = history;
        this.probeOrder = probeOrder;
        this.maxAttempts = plan.config.retries().general().maxAttempts();
        this.probes = plan.config.handler().downAfter() > 0;
        boolean claimedAlone = plan.has(Feature.LANE_LOCKS) || plan.has(Feature.CLAIM_ROWS);
        this.owners = claimedAlone ? 2 * plan.nodes + 1 : 1;
        this.undisturbed = plan.isUndisturbed();
        this.forwarders = plan.forwarders();
        this.keepsShards = plan.keepsShards();
    }

    private record Key(UUID message, String handler) {}

    private static final class Count {
        private long dueAt;
        /** Since it was stored when it is due. */
        private boolean called;
        /** How many attempts have counted. */
        private int stored;

        private int calls;
        private int uncounted;
        /** Of a forwarder: begun, and what followed from its end, if it had one, was not stored. */
        private int unanswered;
        /** Of a delivery that waited, so it was counted before the call. */
        private int lastTry;

        private boolean takenBack;
        /** The last try has failed, and what follows from that is not stored yet. */
        private boolean unstored;
        /** Tries that have failed and count, or may. */
        private int failures;
        /** It can't succeed. */
        private boolean permanent;
    }

    /** Published with a delay. */
    void delayed(UUID message, String handler, long dueAt) {
        count(message, handler).dueAt = dueAt;
    }

    /** Something went wrong in the world: whatever was in progress may be repeated. */
    void fault() {
        faults++;
    }

    /** What they had not stored is lost. */
    void nodesReplaced() {
        counts.values().forEach(count -> count.unstored = false);
    }

    /** Stored, so it holds for every later owner. */
    @Override
    public void retry(UUID message, String handler, int attempts, long dueAt) {
        Count count = count(message, handler);
        if (!count.called) {
            probeOrder.refused(message, handler, dueAt);
        }
        count.called = false;
        count.dueAt = dueAt;
        count.stored = attempts;
        count.unanswered -= count.unstored && forwarders.contains(handler) ? 1 : 0;
        count.unstored = false;
    }

    @Override
    public void dead(UUID message, String handler) {
        givenUp(message, handler);
    }

    @Override
    public void blocked(UUID message, String handler) {
        givenUp(message, handler);
    }

    /** Where nothing is killed, lost or late, only failures explain that. */
    private void givenUp(UUID message, String handler) {
        Count count = count(message, handler);
        if (undisturbed && !count.permanent && count.failures + count.uncounted < maxAttempts) {
            history.violation("given up too early: " + handler + " of " + message + " after " + count.failures
                    + " failures and " + count.uncounted + " tries without an outcome, of " + maxAttempts);
        }
    }

    @Override
    public void adopted(UUID message, Set<String> handlers, long dueAt) {
        history.adopted(message);
    }

    /** Starts from zero: an operator has replayed it. */
    void replayed(UUID message, String handler) {
        counts.remove(new Key(message, handler));
    }

    /** @return not due before, in nanoseconds */
    long dueAt(UUID message, String handler) {
        Count count = counts.get(new Key(message, handler));
        return count == null ? 0 : count.dueAt * 1000;
    }

    /** @return whether it was called before */
    boolean begins(Delivery delivery, boolean holdsLease, long now) {
        Count count = count(delivery.head().id(), delivery.handler());
        if (holdsLease && now / 1000 < count.dueAt) {
            history.violation("early: try " + delivery.attempt() + " of " + what(delivery) + " came "
                    + (count.dueAt - now / 1000) + " µs before it was due");
        }
        if (keepsShards && count.unstored) {
            history.violation("forgotten: the failure before try " + delivery.attempt() + " of " + what(delivery)
                    + " was not stored");
        }
        count.dueAt = holdsLease ? 0 : count.dueAt;
        count.called = true;
        probeOrder.begins(delivery.head().id(), delivery.handler());
        // a zombie's call counts for nothing
        boolean waited = delivery.ackMode() == AckMode.DELETE_DELIVERY;
        if (holdsLease && waited && forwarders.contains(delivery.handler())) {
            if (delivery.attempt() != count.stored + 1) {
                history.violation("burnt: try " + delivery.attempt() + " of " + what(delivery) + " follows the "
                        + count.stored + " that have counted");
            }
        } else if (holdsLease && waited) {
            if (delivery.attempt() <= count.lastTry && !count.takenBack && !probes) {
                history.violation("not counted: try " + delivery.attempt() + " of " + what(delivery) + " came again");
            }
            count.lastTry = Math.max(count.lastTry, delivery.attempt());
            count.takenBack = false;
        }
        count.calls++;
        int unanswered = forwarders.contains(delivery.handler()) ? count.unanswered++ : 0;
        int uncounted =
                undisturbed || probes ? count.uncounted : Math.min(count.uncounted, IN_A_ROW * maxAttempts * owners);
        int most = maxAttempts + uncounted + unanswered + (undisturbed ? 0 : 2 * faults);
        if (count.calls > most) {
            history.violation("too often: " + what(delivery) + " was called " + count.calls + " times, "
                    + count.uncounted + " of them do not count");
        }
        return count.calls > 1;
    }

    /** @param deferred whether it does not count because the handler asked for that or is down */
    void ended(Delivery delivery, Outcome outcome, boolean deferred) {
        Count count = count(delivery.head().id(), delivery.handler());
        count.takenBack |= deferred || !(outcome instanceof Outcome.Done || outcome instanceof Outcome.Failed);
        count.unstored = outcome instanceof Outcome.Failed;
        if (outcome instanceof Outcome.Failed failed) {
            count.failures += deferred && !probes ? 0 : 1;
            count.permanent |= failed.failure() instanceof PermanentFailureException;
        }
        count.unanswered -= count.unstored || !forwarders.contains(delivery.handler()) ? 0 : 1;
        if (outcome instanceof Outcome.Done) {
            probeOrder.succeeded(delivery.handler());
        }
        if (deferred) {
            count.calls--;
        } else if (!(outcome instanceof Outcome.Done || outcome instanceof Outcome.Failed)) {
            count.uncounted++;
        }
    }

    /** It was called with others, and that was not its own try. */
    void notReached(Delivery delivery) {
        count(delivery.head().id(), delivery.handler()).calls--;
    }

    private static String what(Delivery delivery) {
        return delivery.handler() + " of " + delivery.head().id();
    }

    private Count count(UUID message, String handler) {
        return counts.computeIfAbsent(new Key(message, handler), key -> new Count());
    }
}
