package io.outboxed.internal.relay.loop;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.DatabaseClock;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.HandlerRegistry;
import io.outboxed.internal.relay.LaneClaims;
import io.outboxed.internal.relay.Pauses;
import io.outboxed.internal.relay.PollInterval;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.failure.DeferralPacing;
import io.outboxed.internal.relay.failure.FailurePolicy;
import io.outboxed.internal.relay.failure.HandlerCircuitBreakers;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.relay.workers.OverloadedHandlers;
import io.outboxed.internal.relay.workers.SaturatedHandlers;
import io.outboxed.internal.relay.writes.FencedWriteBuffer;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/** What the relay's loop is made of: which part uses which. */
final class LoopParts {
    final DatabaseClock databaseClock;
    final LaneClaims claims;
    final LoopState state;
    final ShardOwnership ownership;
    final HandlerRegistry registry;
    final Pauses pauses;
    final DueReader dueReader;
    final SaturatedHandlers saturated;
    final OverloadedHandlers overloaded;
    final TurnRunner runner;
    final OutcomeProcessor outcomes;
    final Dispatcher dispatcher;
    final ReadyReader readyReader;

    LoopParts(RelayDependencies dependencies, CallQueue calls) {
        OutboxConfig config = dependencies.config();
        OutboxConfig.Relay relay = config.relay();
        RelayStore store = dependencies.store();
        LongSupplier nanoClock = dependencies.nanoClock();
        this.databaseClock = new DatabaseClock(store.statistics(), nanoClock);
        this.claims = new LaneClaims(store.locks(), this::nodeDied, nanoClock);
        this.state = new LoopState(
                new Shards(),
                new Lanes(relay.maxInMemory(), claims::dropped),
                new FencedWriteBuffer(store.writes(), new Rejections(nanoClock), nanoClock));
        SuspectStarts suspectStarts = new SuspectStarts(store, state);
        this.pauses = new Pauses(store.handlers());
        this.ownership =
                new ShardOwnership(store.shards(), state, suspectStarts, claims, pauses, dependencies.meters(), relay);
        Duration deferDelay = config.handler().deferDelay();
        this.registry = new HandlerRegistry(
                store.handlers(),
                dependencies.invoker(),
                lane -> claims.leaveToNewer(lane, nanoClock.getAsLong(), deferDelay.toNanos()));
        HandlerCircuitBreakers circuits =
                new HandlerCircuitBreakers(config.handler().downAfter(), deferDelay);
        DeferralPacing pacing = new DeferralPacing(deferDelay, nanoClock, dependencies.random());
        FailurePolicy policy = new FailurePolicy(config, dependencies.random(), pacing);
        Adoption adoption = new Adoption(store, state, registry, pacing);
        LongLaneReader longLanes = new LongLaneReader(store, state, relay.maxInMemory());
        ClaimedLanes claimedLanes = new ClaimedLanes(store.reads(), state, claims, longLanes, adoption, nanoClock);
        this.overloaded =
                new OverloadedHandlers(calls, groupsThatMayBeOverloaded(dependencies.invoker()), nanoClock.getAsLong());
        this.dueReader = new DueReader(
                store,
                state,
                claims,
                claimedLanes,
                registry,
                adoption,
                relay.maxInMemory(),
                Dispatcher.load(relay.workers()),
                overloaded::mostLanes,
                nanoClock);
        this.saturated = new SaturatedHandlers(calls, nanoClock.getAsLong());
        HandlerSelection selection = new HandlerSelection(
                store.reads(),
                state.lanes(),
                dependencies.invoker(),
                registry,
                pauses,
                saturated,
                overloaded,
                circuits,
                policy,
                pacing,
                config);
        this.runner = new TurnRunner(state, calls, dueReader, pauses, selection, dependencies);
        this.outcomes = new OutcomeProcessor(state, runner, circuits, policy, pacing, dependencies, databaseClock);
        this.dispatcher = new Dispatcher(
                store, state, suspectStarts, selection, runner, dueReader, registry, calls, relay.workers());
        this.readyReader = new ReadyReader(
                store.reads(),
                state,
                claims,
                claimedLanes,
                longLanes,
                new PollInterval(relay.poll().min(), relay.poll().max(), nanoClock.getAsLong()),
                dependencies.meters(),
                relay.maxInMemory(),
                nanoClock);
    }

    /**
     * By handler. Not the only one, for which nothing else would wait, and none that takes several events at once:
     * deliveries that wait in the database come one by one.
     */
    private static Map<String, Set<String>> groupsThatMayBeOverloaded(HandlerInvoker invoker) {
        Set<HandlerKey> handlers = invoker.all();
        return CallQueue.isShared(handlers)
                ? handlers.stream()
                        .filter(handler -> !takesSeveral(invoker, handler))
                        .collect(Collectors.groupingBy(
                                HandlerKey::handler, Collectors.mapping(invoker::group, Collectors.toSet())))
                : Map.of();
    }

    private static boolean takesSeveral(HandlerInvoker invoker, HandlerKey handler) {
        HandlerMode mode = invoker.mode(handler);
        return mode == HandlerMode.BATCHED || mode.isForwarder() && invoker.mostTogether(handler) > 1;
    }

    private void nodeDied() {
        ownership.nodeDied();
    }

    private final class Rejections implements FencedWriteBuffer.RejectionListener {
        private final LongSupplier nanoClock;

        Rejections(LongSupplier nanoClock) {
            this.nanoClock = nanoClock;
        }

        @Override
        public void lost(Lease lease) {
            ownership.fenced(lease);
        }

        @Override
        public void rejected(Lease lease, long lane) {
            state.readAgainLater(lane, lease.shard(), nanoClock.getAsLong() + RelayStore.REJECTED_RETRY_DELAY);
        }
    }
}
