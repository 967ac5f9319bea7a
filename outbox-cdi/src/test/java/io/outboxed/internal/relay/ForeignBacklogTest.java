package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.loop.RelayLoop;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.relay.workers.CallQueue;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MemoryLockSession;
import io.outboxed.internal.store.MemoryStore;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.Resolution;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.Lease;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** How a node with locks reads a backlog of which it can claim little or nothing. Each statement takes some time. */
class ForeignBacklogTest {
    private static final String ONE = ClaimStrategy.ADVISORY_LOCK.nodePrefix() + "one";
    private static final String OTHER = ClaimStrategy.ADVISORY_LOCK.nodePrefix() + "other";
    private static final HandlerKey SHIP = new HandlerKey("placed", "ship");
    /** Enough to call as many aggregates of one handler as a node can claim. */
    private static final int WORKERS = 16;

    private static final long STATEMENT = Duration.ofMillis(10).toNanos();
    private static final long ITERATION = Duration.ofNanos(50_000).toNanos();
    /** What is read and claimed of a backlog. */
    private static final Set<String> STATEMENTS =
            Set.of("ready", "highest", "lanes", "waits", "tryLock", "unlock", "peers", "present");

    private long now = Duration.ofHours(1).toNanos();
    private final MemoryStore store = new MemoryStore(() -> now / 1000);
    private final MemoryLockSession other = session(OTHER);
    private final MemoryLockSession mine = session(ONE);
    private final Mailbox mailbox = new Mailbox();
    private final CallQueue calls = new CallQueue(1_000);
    private final LeaseClock leaseClock = new LeaseClock(Duration.ofSeconds(10), () -> now, () -> now / 1_000_000);
    private final RelayStore ports = ObservedStore.of(store.ports(mine), new Costs());
    private final RelayLoop relay = new RelayLoop(parts(), mailbox, calls, leaseClock);
    private final Set<Long> called = new HashSet<>();
    private int statements;
    private int longestPageOfDue;

    private final class Costs implements ObservedStore.Observer {
        @Override
        public void after(String call, Object[] arguments, Object result) {
            if (call.equals("due")) {
                longestPageOfDue = Math.max(longestPageOfDue, (int) arguments[1]);
            }
            if (STATEMENTS.contains(call)) {
                statements++;
                now += STATEMENT;
            }
        }
    }

    private MemoryLockSession session(String owner) {
        MemoryLockSession session = store.lockSession(Duration.ofHours(1).toNanos() / 1000);
        session.open(owner);
        store.nodes().join(owner, owner, 1);
        return session;
    }

    private RelayDependencies parts() {
        SimulatedHandlers handlers =
                new SimulatedHandlers(Map.of(SHIP, HandlerMode.TRANSACTIONAL), 0, handler -> false);
        store.handlers().register(SimulatedHandlers.registrations(Map.of(SHIP, HandlerMode.TRANSACTIONAL)));
        return new RelayDependencies(
                ports,
                handlers,
                OutboxConfig.DEFAULTS.withRelay(OutboxConfig.Relay.DEFAULTS.withWorkers(WORKERS)),
                () -> now,
                () -> now / 1_000_000,
                () -> 0.5,
                new Notifications() {});
    }

    private void gains(int... shards) {
        for (int shard : shards) {
            long epoch =
                    ports.shards().take(ports.shards().all().get(shard), ONE).orElseThrow();
            relay.gained(new Lease(shard, ONE, epoch), false);
        }
    }

    private void publish(long lane) {
        store.insert(
                UUID.randomUUID(), "placed", lane, store.handlers().snapshot().version(), 0, "fine");
    }

    /** Rows of these lanes in turn. */
    private void publish(List<Long> lanes, int rows) {
        for (int i = 0; i < rows; i++) {
            publish(lanes.get(i % lanes.size()));
        }
    }

    /** The loop runs; no call ends. */
    private void run(Duration time) throws InterruptedException {
        long until = now + time.toNanos();
        while (now < until) {
            leaseClock.beat(leaseClock.stamp(ONE));
            long wait = relay.iterate();
            now += ITERATION + wait;
            for (Call call = calls.take(0); call != null; call = calls.take(0)) {
                called.add(call.delivery().head().lane());
            }
        }
    }

    private static List<Long> lanes(int shard, int count) {
        return LongStream.rangeClosed(1, count).mapToObj(i -> i * 64 + shard).toList();
    }

    @Test
    void an_aggregate_behind_long_ones_of_another_node_is_called_within_seconds() throws Exception {
        List<Long> foreign = lanes(0, 2);
        other.tryLock(foreign);
        publish(foreign, 8_000);
        publish(6400);
        gains(0);
        run(Duration.ofSeconds(2));
        assertThat(called).containsExactly(6400L);
    }

    @Test
    void an_aggregate_behind_many_of_another_node_is_called_although_each_is_short_in_a_page() throws Exception {
        List<Long> foreign = lanes(0, 40);
        other.tryLock(foreign);
        publish(foreign, 8_000);
        publish(6400);
        gains(0);
        run(Duration.ofSeconds(20));
        assertThat(called).containsExactly(6400L);
    }

    @Test
    void many_aggregates_with_more_rows_than_a_lane_takes_are_called_without_waiting_for_each_other() throws Exception {
        for (int shard = 0; shard < 8; shard++) {
            publish(lanes(shard, 10), 100);
        }
        gains(IntStream.range(0, 8).toArray());
        run(Duration.ofSeconds(1));
        assertThat(called).hasSizeGreaterThan(40);
    }

    @Test
    void a_new_event_of_a_free_aggregate_is_called_at_once_beside_long_ones_of_another_node() throws Exception {
        List<Long> foreign = lanes(0, 2);
        other.tryLock(foreign);
        publish(foreign, 8_000);
        gains(0);
        run(Duration.ofMillis(700));
        publish(6400);
        mailbox.signal(List.of(0));
        run(Duration.ofMillis(100));
        assertThat(called).containsExactly(6400L);
    }

    @Test
    void a_node_that_gets_no_lanes_reads_for_a_fifth_of_the_time() throws Exception {
        List<Long> foreign = lanes(0, 40);
        other.tryLock(foreign);
        publish(foreign, 8_000);
        gains(0);
        run(Duration.ofSeconds(1));
        statements = 0;
        run(Duration.ofSeconds(10));
        assertThat(Duration.ofNanos(statements * STATEMENT))
                .isGreaterThan(Duration.ofMillis(1_000))
                .isLessThan(Duration.ofMillis(2_100));
    }

    @Test
    void pages_of_what_is_due_do_not_grow_with_the_number_of_aggregates_that_a_node_has_no_room_for() throws Exception {
        List<Long> lanes = lanes(0, 5_000);
        lanes.forEach(this::fail);
        gains(0);
        run(Duration.ofSeconds(20));
        assertThat(called).hasSize(500);
        assertThat(longestPageOfDue).isLessThan(2_000);
    }

    @Test
    void retries_of_free_aggregates_are_called_although_hundreds_of_another_node_are_due_earlier() throws Exception {
        List<Long> foreign = lanes(0, 500);
        List<Long> free = lanes(1, 100);
        foreign.forEach(this::fail);
        other.tryLock(foreign);
        now += Duration.ofSeconds(1).toNanos();
        free.forEach(this::fail);
        gains(0, 1);
        run(Duration.ofSeconds(4));
        assertThat(called).containsExactlyInAnyOrderElementsOf(free);
    }

    /** Its first call has failed on another node, and is due again. */
    private void fail(long lane) {
        MessageHead head = store.insert(
                UUID.randomUUID(), "placed", lane, store.handlers().snapshot().version(), 0, "fine");
        String former = "former";
        int shard = head.shard();
        long epoch =
                store.shards().take(store.shards().all().get(shard), former).orElseThrow();
        Resolution retry = new Resolution.Retry("ship", "ship", 1, "no route to host", 0);
        store.ports()
                .writes()
                .write(Map.of(new Lease(shard, former, epoch), List.of(new FencedWrite.Resolve(head, List.of(retry)))));
    }

    @Test
    void a_node_that_holds_all_it_may_hold_reads_rarely() throws Exception {
        int[] shards = IntStream.range(0, 8).toArray();
        for (int shard : shards) {
            publish(lanes(shard, 300), 300);
        }
        gains(shards);
        run(Duration.ofSeconds(5));
        assertThat(called).hasSize(500);
        statements = 0;
        run(Duration.ofSeconds(10));
        assertThat(statements).isBetween(1, 399);
        assertThat(called).hasSize(500);
    }
}
