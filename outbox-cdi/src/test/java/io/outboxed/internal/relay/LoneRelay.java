package io.outboxed.internal.relay;

import io.outboxed.PermanentFailureException;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.metrics.OutboxMeters;
import io.outboxed.internal.metrics.RecordingBackend;
import io.outboxed.internal.relay.loop.RelayLoop;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.store.ClaimLostException;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.LaneHash;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.MemoryTransaction;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.HandlerRegistration;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/** The loop of one node on the store in memory, turn by turn. It owns all shards; the test acts as its workers. */
final class LoneRelay {
    static final String TYPE = "placed";
    static final String MAIL = "Mailer.mail";
    static final String AUDIT = "Audit.write";

    private static final int SHARE = 64;
    private static final Map<HandlerKey, HandlerMode> MAIL_ONLY =
            Map.of(new HandlerKey(TYPE, MAIL), HandlerMode.TRANSACTIONAL);

    final MemoryStore store = new MemoryStore(this::micros);
    final CallQueue calls;
    final SimulatedHandlers handlers;
    final RelayLoop relay;
    private final RelayStore ports;
    private final String me;
    final RecordingBackend metrics = new RecordingBackend();
    final StoreStatements statements;
    final LoneWorker worker;

    private final Mailbox mailbox = new Mailbox();
    private final LeaseClock leaseClock = new LeaseClock(Duration.ofSeconds(10), this::nanos, this::millis);
    private long now = Duration.ofHours(1).toNanos();

    LoneRelay(OutboxConfig.Retry retry) {
        this(retry, MAIL_ONLY, List.of());
    }

    /** @param downAfter consecutive failures that make a handler count as down */
    LoneRelay(OutboxConfig.Retry retry, int downAfter) {
        this(config(retry, downAfter), MAIL_ONLY, List.of());
    }

    /** @param foreign registered by other deployments */
    LoneRelay(OutboxConfig.Retry retry, Map<HandlerKey, HandlerMode> handlers, List<HandlerRegistration> foreign) {
        this(config(retry, 0), handlers, foreign);
    }

    LoneRelay(OutboxConfig.Relay limits, OutboxConfig.Retry retry) {
        this(limits, retry, MAIL_ONLY, List.of());
    }

    LoneRelay(
            OutboxConfig.Relay limits,
            OutboxConfig.Retry retry,
            Map<HandlerKey, HandlerMode> handlers,
            List<HandlerRegistration> foreign) {
        this(config(retry, 0).withRelay(limits), handlers, foreign);
    }

    LoneRelay(OutboxConfig config, Map<HandlerKey, HandlerMode> handlers, List<HandlerRegistration> foreign) {
        this(SHARE, config, handlers, foreign, false);
    }

    /** @param share how many calls of a handler run at the same time */
    LoneRelay(int share, OutboxConfig.Retry retry, Map<HandlerKey, HandlerMode> handlers) {
        this(share, config(retry, 0), handlers, List.of(), false);
    }

    LoneRelay(int share, OutboxConfig.Relay limits, OutboxConfig.Retry retry, Map<HandlerKey, HandlerMode> handlers) {
        this(share, config(retry, 0).withRelay(limits), handlers, List.of(), false);
    }

    static LoneRelay claimingLanes(int share, OutboxConfig.Retry retry, Map<HandlerKey, HandlerMode> handlers) {
        OutboxConfig config = config(retry, 0).withRelay(OutboxConfig.Relay.DEFAULTS.withWorkers(share));
        return new LoneRelay(share, config, handlers, List.of(), true);
    }

    static LoneRelay claimingLanes(OutboxConfig.Relay limits) {
        return claimingLanes(limits, OutboxConfig.Retry.DEFAULTS);
    }

    static LoneRelay claimingLanes(OutboxConfig.Relay limits, OutboxConfig.Retry retry) {
        OutboxConfig config = config(retry, 0).withRelay(limits);
        return new LoneRelay(SHARE, config, MAIL_ONLY, List.of(), true);
    }

    private LoneRelay(
            int share,
            OutboxConfig config,
            Map<HandlerKey, HandlerMode> handlers,
            List<HandlerRegistration> foreign,
            boolean claimsLanes) {
        this.me = (claimsLanes ? ClaimStrategy.ROW_LOCK.nodePrefix() : "") + "me";
        this.statements = new StoreStatements(me, this::elapse);
        this.ports = claimsLanes ? store.portsWithClaimRows() : store.ports();
        this.calls = new CallQueue(share);
        this.handlers = new SimulatedHandlers(handlers, 0, handler -> false);
        RelayDependencies parts = new RelayDependencies(
                ObservedStore.of(ports, statements),
                this.handlers,
                config,
                this::nanos,
                this::millis,
                () -> 0.5,
                new Notifications() {},
                new OutboxMeters(metrics, "node", true),
                List.of());
        this.relay = new RelayLoop(parts, mailbox, calls, leaseClock);
        this.worker = new LoneWorker(parts, relay, calls, leaseClock, mailbox, store);
        register(SimulatedHandlers.registrations(handlers));
        register(foreign);
        store.nodes().join(me, me, 1);
        ports.locks().ifPresent(locks -> locks.open(me));
        leaseClock.beat(leaseClock.stamp(me));
    }

    void register(Collection<HandlerRegistration> handlers) {
        store.handlers().register(handlers);
    }

    /** @param ownerDied whether the previous owner of the shards died */
    LoneRelay holdsAllShards(boolean ownerDied) {
        IntStream.range(0, LaneHash.SHARDS).forEach(shard -> gains(shard, ownerDied));
        return this;
    }

    void gains(int shard, boolean ownerDied) {
        relay.gained(leased(ports, shard, me), ownerDied);
    }

    /** A decision of another node, which loses the shard when this one gains it. */
    void elsewhere(int shard, FencedWrite write) {
        store.ports().writes().write(Map.of(leased(store.ports(), shard, "other"), List.of(write)));
    }

    private static Lease leased(RelayStore by, int shard, String owner) {
        Lease before = by.shards().all().get(shard);
        return new Lease(shard, owner, by.shards().take(before, owner).orElseThrow());
    }

    MessageHead publish(long lane) {
        return publish(lane, TYPE);
    }

    MessageHead publish(long lane, String type) {
        MessageHead head = store.insert(
                UUID.randomUUID(), type, lane, store.handlers().snapshot().version(), 0, "fine");
        mailbox.signal(List.of(head.shard()));
        return head;
    }

    MessageHead publishDelayed(long lane, Duration delay) {
        return publishDelayed(lane, TYPE, delay);
    }

    MessageHead publishDelayed(long lane, String type, Duration delay) {
        MessageHead head = store.insert(
                UUID.randomUUID(), type, lane, store.handlers().snapshot().version(), delay.toNanos() / 1000, "fine");
        mailbox.signal(List.of(head.shard()));
        return head;
    }

    void cancel(MessageHead delayed) {
        MemoryTransaction transaction = store.begin();
        transaction.cancel(delayed.id(), micros());
        transaction.commit();
    }

    /** A business transaction has inserted its event and has not committed. */
    MessageHead begin(long lane) {
        return store.insertUncommitted(
                UUID.randomUUID(), TYPE, lane, store.handlers().snapshot().version(), 0, "fine");
    }

    void commit(MessageHead head) {
        store.commit(head);
        mailbox.signal(List.of(head.shard()));
    }

    /** @param starts how many nodes have died while it ran */
    void publishWithStarts(long lane, int starts) {
        store.setStarts(publish(lane), starts);
    }

    /** Time passes, the node beats, and the loop takes some turns. */
    void pass(Duration time) {
        later(time);
        turns();
    }

    private void elapse(Duration time) {
        now += time.toNanos();
    }

    /** Time passes, and the node beats. */
    void later(Duration time) {
        elapse(time);
        leaseClock.beat(leaseClock.stamp(me));
    }

    /** The loop takes turns until there is nothing left to do at this moment. */
    void turns() {
        long wait = 0;
        for (int i = 0; i < 10 || wait == 0 && i < 200; i++) {
            try {
                wait = relay.iterate();
            } catch (StoreException e) {
                relay.reset();
            }
        }
    }

    void fails(Call call) {
        report(call, new Outcome.Failed(new IllegalStateException("no")));
    }

    void isDeferred(Call call) {
        report(call, new Outcome.Failed(new SimulatedHandlers.DeferredDeliveryException()));
    }

    void isGivenUp(Call call) {
        report(call, new Outcome.Failed(new PermanentFailureException("never")));
    }

    void isNotBegun(Call call) {
        report(call, new Outcome.NotBegun());
    }

    void endsUnclear(Call call) {
        report(call, new Outcome.Unknown(new IllegalStateException("no answer")));
    }

    void getsNoTransaction(Call call) {
        report(call, new Outcome.NoTransaction(new IllegalStateException("no connection")));
    }

    void succeeds(Call call) {
        succeed(List.of(call));
    }

    /** All of them before the loop takes its next turn. */
    void succeed(List<Call> calls) {
        calls.forEach(worker::succeeds);
        turns();
    }

    /** The handler is outside a transaction, and no acknowledger has recorded its success. */
    void succeedsUnrecorded(Call call) {
        report(call, new Outcome.Done(false));
    }

    void recordsSuccesses() throws InterruptedException {
        worker.recordsSuccesses();
        turns();
    }

    /** Its transaction counts as committed, and the database has lost it. */
    void succeedsInVain(Call call) {
        report(call, new Outcome.Done(true));
    }

    /** @return false if the row had changed since it was read */
    boolean claims(Call call) {
        try {
            succeeds(call);
            return true;
        } catch (ClaimLostException e) {
            report(call, new Outcome.Lost(e));
            return false;
        }
    }

    /** Everything that was called and has not ended. */
    List<Call> called() {
        List<Call> all = new ArrayList<>();
        for (Call call = calls.poll(); call != null; call = calls.poll()) {
            all.add(call);
        }
        return all;
    }

    /** Each call succeeds at once. @return the numbers of the events that were called */
    List<Long> calledWithin(Duration time, Duration step) {
        List<Long> called = new ArrayList<>();
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(step)) {
            pass(step);
            for (Call call : called()) {
                called.add(call.delivery().head().seq());
                succeeds(call);
            }
        }
        return called;
    }

    private void report(Call call, Outcome outcome) {
        worker.report(call, outcome);
        turns();
    }

    private long nanos() {
        return now;
    }

    long micros() {
        return now / 1_000;
    }

    private long millis() {
        return now / 1_000_000;
    }

    private static OutboxConfig config(OutboxConfig.Retry retry, int downAfter) {
        return OutboxConfig.DEFAULTS
                .withHandler(new OutboxConfig.Handler(Duration.ofSeconds(30), downAfter, Duration.ofSeconds(5), 128))
                .withRetry(retry);
    }
}
