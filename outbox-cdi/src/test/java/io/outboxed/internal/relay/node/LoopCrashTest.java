package io.outboxed.internal.relay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.metrics.RelayReadings;
import io.outboxed.internal.relay.Await;
import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.ObservedStore;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.RealTime;
import io.outboxed.internal.relay.SilentLog;
import io.outboxed.internal.signal.CommitSignal;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.JdbcFixture;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import io.outboxed.spi.FailureClassifier;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An error in the loop. */
@ExtendWith(SilentLog.class)
class LoopCrashTest extends MembershipFixture {
    private static final HandlerKey SHIP = new HandlerKey("placed", "ship");

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger delivered = new AtomicInteger();

    /** With its threads. */
    @Test
    void a_message_whose_report_ends_in_an_error_is_called_again() throws SQLException {
        try (JdbcFixture database = new JdbcFixture(
                        () -> DriverManager.getConnection("jdbc:h2:mem:crash;DB_CLOSE_DELAY=-1", "sa", ""),
                        Dialect.H2);
                JdbcRelayStore store = new JdbcRelayStore(
                        database.source(), Dialect.H2, "outbox_", false, dropped -> {}, Duration.ofSeconds(10))) {
            Handlers handlers = new Handlers();
            RelayNode node = new RelayNode(
                    RealTime.parts(
                            store.store(),
                            handlers,
                            OutboxConfig.DEFAULTS.withRelay(
                                    OutboxConfig.Relay.DEFAULTS.withLease(Duration.ofSeconds(1)))),
                    new CommitSignal(),
                    store.store().handlers().register(handlers.registrations()).deployment());
            database.run(
                    "INSERT INTO outbox_message (id, shard, lane, aggregate_type, aggregate_id, type, payload,"
                            + " payload_size, registry_version) VALUES (?, 7, 7, 'order', '7', 'placed', '{}', 2, 0)",
                    UUID.randomUUID());
            node.start(threads, threads);

            Await.until(
                    "it is delivered after all",
                    Duration.ofSeconds(20),
                    () -> {
                        node.supervise();
                        return database.count("outbox_message") == 0;
                    },
                    () -> "calls: " + delivered);

            node.stop();
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void an_error_that_keeps_a_failed_iteration_from_its_reset_is_a_crash() throws InterruptedException {
        Node node = new Node(1);
        node.tick();
        String before = node.membership.owner();
        LoopRound round = new LoopRound(node.parts, node.relay, node.mailbox, node.membership);
        node.mailbox.post(() -> {
            throw new IllegalStateException("in a test");
        });

        try (FailingLog log = new FailingLog("OUTBOX-0424")) {
            round.run();
            assertThat(log.wasUsed()).isTrue();
        }
        node.tick();

        assertThat(node.membership.owner()).isNotEqualTo(before);
        assertThat(node.relay.leases()).isEmpty();
    }

    @Test
    void a_failed_iteration_is_over_once_one_has_worked_with_a_lease() throws Exception {
        Outages outages = new Outages();
        Node node = new Node(1, ObservedStore.of(store.ports(), outages));
        node.tick();
        LoopRound round = new LoopRound(node.parts, node.relay, node.mailbox, node.membership);
        try (CapturedLog log = new CapturedLog()) {
            outages.last = true;
            pass(1);
            round.run();
            assertThat(log.lines).anyMatch(line -> line.contains("OUTBOX-0424"));

            outages.last = false;
            pass(60);
            round.run();
            assertThat(log.lines).as("its lease is over").noneMatch(line -> line.contains("OUTBOX-0433"));

            node.tick();
            round.run();
            assertThat(log.lines).anyMatch(line -> line.contains("OUTBOX-0433 the relay has recovered after 1 failed"));
        }
    }

    @Test
    void a_node_whose_reads_fail_counts_as_stalled_also_while_it_tries_again() throws Exception {
        Outages outages = new Outages();
        Node node = new Node(1, ObservedStore.of(store.ports(), outages));
        node.tick();
        RelayReadings readings = node.parts.meters().readings();
        LoopRound round = new LoopRound(node.parts, node.relay, node.mailbox, node.membership);
        round.run();
        assertThat(readings.stalled()).isFalse();

        outages.last = true;
        pass(1);
        round.run();
        List<Boolean> whileReading = new ArrayList<>();
        outages.observer = () -> whileReading.add(readings.stalled());
        pass(1);
        round.run();
        assertThat(whileReading).isNotEmpty().containsOnly(true);
        assertThat(readings.shardsHeld()).isZero();

        outages.last = false;
        pass(1);
        round.run();
        assertThat(readings.stalled()).isFalse();
        assertThat(readings.shardsHeld()).isEqualTo(64);
    }

    @Test
    void what_a_node_says_of_itself_is_that_of_the_last_iteration_also_if_it_has_failed() throws InterruptedException {
        Node node = new Node(1);
        node.tick();
        LoopRound round = new LoopRound(node.parts, node.relay, node.mailbox, node.membership);
        round.run();
        assertThat(round.shards()).isEqualTo(64);

        node.mailbox.post(() -> List.copyOf(node.relay.leases()).forEach(node.relay::lost));
        node.mailbox.post(() -> {
            throw new IllegalStateException("in a test");
        });
        round.run();

        assertThat(round.shards()).isZero();
    }

    /** While they last, nothing can be read. */
    private static final class Outages implements ObservedStore.Observer {
        private boolean last;
        private Runnable observer = () -> {};

        @Override
        public void before(String call) {
            observer.run();
            if (last && (call.equals("ready") || call.equals("sweep"))) {
                throw new StoreException("the connection was cut: " + call, true, null);
            }
        }
    }

    /** The first failure can't be classified. */
    private final class Handlers implements HandlerInvoker {
        @Override
        public Set<HandlerKey> all() {
            return Set.of(SHIP);
        }

        @Override
        public String group(HandlerKey handler) {
            return handler.handler();
        }

        @Override
        public HandlerMode mode(HandlerKey handler) {
            return HandlerMode.OUTSIDE;
        }

        @Override
        public Outcome deliver(Delivery delivery) {
            return delivered.getAndIncrement() == 0
                    ? new Outcome.Failed(new IllegalStateException("no"))
                    : new Outcome.Done(false);
        }

        @Override
        public FailureClassifier.Verdict classify(Delivery delivery, Throwable failure) {
            throw new StackOverflowError();
        }
    }
}
