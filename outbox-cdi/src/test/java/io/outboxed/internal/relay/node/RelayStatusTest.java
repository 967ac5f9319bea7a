package io.outboxed.internal.relay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.relay.Await;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.OutageStore;
import io.outboxed.internal.relay.RealTime;
import io.outboxed.internal.relay.SimulatedHandlers;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.signal.CommitSignal;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** What a real node with its threads says of itself. */
class RelayStatusTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicBoolean down = new AtomicBoolean();

    private static void await(String what, BooleanSupplier condition) {
        Await.until(what, Duration.ofSeconds(30), condition, () -> "");
    }

    @Test
    void it_tells_an_unreachable_database_from_stuck_threads() {
        ConnectionSource source = () -> DriverManager.getConnection("jdbc:h2:mem:status;DB_CLOSE_DELAY=-1", "sa", "");
        new Schema(source, Dialect.H2, "outbox_").create();
        JdbcRelayStore store =
                new JdbcRelayStore(source, Dialect.H2, "outbox_", false, dropped -> {}, Duration.ofSeconds(10));
        SimulatedHandlers handlers = new SimulatedHandlers(
                Map.of(new HandlerKey("placed", "ship"), HandlerMode.TRANSACTIONAL), 0, handler -> false);
        RelayNode node = new RelayNode(
                RealTime.parts(OutageStore.of(store.store(), down::get, () -> {}), handlers, OutboxConfig.DEFAULTS),
                new CommitSignal(),
                store.store().handlers().register(handlers.registrations()).deployment());
        assertThat(node.status().owner()).isNull();
        node.start(threads, threads);
        await("it holds all shards", () -> node.status().shards() == 64);
        assertThat(node.status().owner()).isNotNull();

        down.set(true);
        await(
                "beats fail, its threads move",
                () -> node.status().sinceHeartbeat().orElseThrow().compareTo(Duration.ofSeconds(2)) > 0
                        && node.status().sinceMembershipRound().compareTo(Duration.ofMillis(1500)) < 0
                        && node.status().sinceIteration().compareTo(Duration.ofMillis(1500)) < 0);
        down.set(false);
        await(
                "it beats again",
                () -> node.status().sinceHeartbeat().orElseThrow().compareTo(Duration.ofSeconds(1)) < 0);
        node.stop();
        threads.shutdown();
        store.close();
    }
}
