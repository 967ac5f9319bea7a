package io.outboxed.internal.relay.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.RealTime;
import io.outboxed.internal.relay.SilentLog;
import io.outboxed.internal.relay.SimulatedHandlers;
import io.outboxed.internal.signal.CommitSignal;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.JdbcFixture;
import io.outboxed.internal.store.jdbc.JdbcRelayStore;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that has no thread left. */
@ExtendWith(SilentLog.class)
class HalfwayStartTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger left = new AtomicInteger();

    private void execute(Runnable task) {
        if (left.getAndDecrement() <= 0) {
            throw new RejectedExecutionException("no thread is left");
        }
        threads.execute(task);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 4})
    void a_start_that_gets_too_few_threads_ends_those_it_has_got(int available) throws Exception {
        try (JdbcFixture database = database();
                JdbcRelayStore store = new JdbcRelayStore(
                        database.source(), Dialect.H2, "outbox_", false, dropped -> {}, Duration.ofSeconds(10))) {
            left.set(available);
            RelayNode node = node(store);

            assertThatThrownBy(() -> node.start(this::execute, threads)).hasMessage("no thread is left");

            threads.shutdown();
            assertThat(threads.awaitTermination(20, TimeUnit.SECONDS))
                    .as("all threads have ended")
                    .isTrue();
            assertThat(store.store().nodes().live()).as("it has left").isEmpty();
        }
    }

    private static JdbcFixture database() throws SQLException {
        return new JdbcFixture(
                () -> DriverManager.getConnection("jdbc:h2:mem:halfway;DB_CLOSE_DELAY=-1", "sa", ""), Dialect.H2);
    }

    private static RelayNode node(JdbcRelayStore store) {
        SimulatedHandlers handlers = new SimulatedHandlers(
                Map.of(new HandlerKey("placed", "ship"), HandlerMode.TRANSACTIONAL), 0, handler -> false);
        return new RelayNode(
                RealTime.parts(store.store(), handlers, OutboxConfig.DEFAULTS),
                new CommitSignal(),
                store.store().handlers().register(handlers.registrations()).deployment());
    }
}
