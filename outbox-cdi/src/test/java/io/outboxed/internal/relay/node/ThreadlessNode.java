package io.outboxed.internal.relay.node;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.LeaseClock;
import io.outboxed.internal.relay.Mailbox;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.loop.RelayLoop;
import io.outboxed.internal.relay.workers.AckQueues;
import io.outboxed.internal.relay.workers.Acknowledger;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.relay.workers.CallReporter;
import io.outboxed.internal.relay.workers.RunningCalls;
import io.outboxed.internal.relay.workers.Worker;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.MemoryTransaction;
import io.outboxed.spi.FailureClassifier;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * A node without threads, which delivers some events and is declared dead meanwhile. An error ends the round or the task
 * that it is met in. Says what is not delivered in the end; empty: nothing.
 */
public final class ThreadlessNode implements Supplier<String> {
    private static final Map<HandlerKey, HandlerMode> HANDLERS = Map.of(
            new HandlerKey("placed", "Mailer.mail"), HandlerMode.OUTSIDE,
            new HandlerKey("placed", "Audit.write"), HandlerMode.TRANSACTIONAL,
            new HandlerKey("shipped", "Audit.write"), HandlerMode.BATCHED,
            new HandlerKey("sent", "Forwarder.forward"), HandlerMode.FORWARDER);
    private static final List<String> TYPES = List.of("placed", "shipped", "sent");
    private static final Duration STEP = Duration.ofMillis(300);
    private static final String FAILS = "fails";
    private static final int LANES = 6;
    private static final int DELAYED = 3;
    private static final int EACH = 2;
    /** More than a lane takes from windows. */
    private static final int LONG = 8;

    private static final int MOST_TURNS = 60;

    private long now = Duration.ofHours(1).toNanos();
    private final MemoryStore store = new MemoryStore(() -> now / 1_000, 4);
    private final Handlers handlers = new Handlers();
    private final Mailbox mailbox = new Mailbox();
    private final CallQueue calls = new CallQueue(4);
    private final RelayLoop relay;
    private final LoopRound loop;
    private final MembershipRound membership;
    private final Acknowledger acknowledger;
    private final Worker worker;
    private int published;

    public ThreadlessNode() {
        RelayDependencies parts = new RelayDependencies(
                store.ports(),
                handlers,
                OutboxConfig.DEFAULTS
                        .withRelay(OutboxConfig.Relay.DEFAULTS.withLease(Duration.ofSeconds(1)))
                        .withRetry(new OutboxConfig.Retry(10, Duration.ofMillis(300), 1, Duration.ofSeconds(1), false)),
                this::nanos,
                () -> now / 1_000_000,
                () -> 0.5,
                new Notifications() {});
        LeaseClock leaseClock = new LeaseClock(Duration.ofSeconds(1), () -> now, () -> now / 1_000_000);
        this.relay = new RelayLoop(parts, mailbox, calls, leaseClock);
        Membership member = new Membership(parts, mailbox, relay, leaseClock, 1);
        this.loop = new LoopRound(parts, relay, mailbox, member);
        this.membership = new MembershipRound(member, () -> now);
        AckQueues successes = new AckQueues(1);
        this.acknowledger = new Acknowledger(
                parts.store().acks(),
                successes.queues().get(0),
                10,
                (batch, outcome) -> mailbox.post(() -> relay.acknowledged(batch, outcome)),
                () -> now);
        RunningCalls running = new RunningCalls(calls::late, () -> now, Duration.ofMinutes(1));
        CallReporter reporter = new CallReporter(parts, mailbox::post, relay, successes::add);
        this.worker = new Worker(parts, calls, running, leaseClock, reporter);
        store.handlers().register(handlers.registrations());
    }

    @Override
    public String get() {
        turn();
        publish(0);
        turn();
        publish(LONG);
        work();
        store.nodes().live().forEach(store.nodes()::declareDead);
        publish(0);
        String left = deliver();
        publish(0);
        // also those that come after what was left
        return left + deliver();
    }

    /** To each of the lanes; the first one gets this many more, and one gets delayed ones with them. */
    private void publish(int more) {
        for (int lane = 0; lane < LANES; lane++) {
            for (int i = 0; i < (lane == 0 ? EACH + more : EACH); i++) {
                long delay = more > 0 && lane == DELAYED ? 100_000 : 0;
                store.insert(
                        new UUID(0, ++published),
                        TYPES.get(lane % TYPES.size()),
                        lane,
                        store.handlers().snapshot().version(),
                        delay,
                        i == 1 && lane % 2 == 0 ? FAILS : "");
            }
        }
        mailbox.signal(List.of(0, 1, 2, 3));
    }

    /** @return what is left */
    private String deliver() {
        for (int i = 0; i < MOST_TURNS && !isAllDone(); i++) {
            turn();
            work();
        }
        return isAllDone()
                ? ""
                : store.messages() + " messages, " + store.waitRows() + " waits, idle: " + isIdle() + "; ";
    }

    private boolean isAllDone() {
        return store.messages() == 0 && store.waitRows() == 0 && isIdle();
    }

    private boolean isIdle() {
        try {
            return relay.isIdle();
        } catch (OutOfMemoryError e) {
            return relay.isIdle();
        }
    }

    private void turn() {
        now += STEP.toNanos();
        guarded(membership::run);
        // its wait ends at once
        for (int i = 0; i < 2; i++) {
            guarded(loop::run);
        }
        guarded(worker::reportLost);
    }

    /** Some calls, and not all: others are under way when there is no memory. */
    private void work() {
        for (int i = 0; i < 3; i++) {
            guarded(() -> {
                Call call = calls.poll();
                if (call != null) {
                    worker.runSeries(call);
                }
            });
        }
        guarded(() -> acknowledger.acknowledgeNext(0));
    }

    private interface Step {
        void run() throws InterruptedException;
    }

    private static void guarded(Step step) {
        try {
            step.run();
        } catch (OutOfMemoryError e) {
            // what ran in this thread is over, and the next round begins in another one
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private long nanos() {
        mailbox.signal(List.of());
        return now;
    }

    private final class Handlers implements HandlerInvoker {
        @Override
        public Set<HandlerKey> all() {
            return HANDLERS.keySet();
        }

        @Override
        public String group(HandlerKey handler) {
            return handler.handler();
        }

        @Override
        public HandlerMode mode(HandlerKey handler) {
            return HANDLERS.get(handler);
        }

        @Override
        public Outcome deliver(Delivery delivery) {
            return deliverTogether(List.of(delivery));
        }

        @Override
        public Outcome deliverTogether(List<Delivery> deliveries) {
            if (deliveries.stream()
                    .anyMatch(each -> each.attempt() == 1 && each.body().text().equals(FAILS))) {
                return new Outcome.Failed(new IllegalStateException("no"));
            }
            Delivery first = deliveries.get(0);
            if (mode(first.key()).isOutside()) {
                return new Outcome.Done(false);
            }
            MemoryTransaction transaction = store.begin();
            try {
                for (Delivery each : deliveries) {
                    transaction.claim(each.head());
                    transaction.acknowledge(each.head(), each.handler(), each.ackMode());
                }
                transaction.commit();
                return new Outcome.Done(true);
            } catch (RuntimeException e) {
                transaction.rollback();
                return new Outcome.Lost(e);
            }
        }

        @Override
        public FailureClassifier.Verdict classify(Delivery delivery, Throwable failure) {
            return FailureClassifier.Verdict.RETRY;
        }
    }
}
