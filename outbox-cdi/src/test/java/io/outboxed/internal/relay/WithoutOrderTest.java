package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfig.Relay;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.servers.database.RealPostgres;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@code outbox.order=none} has stored, with each claim strategy, on a database that has them all. */
@ExtendWith(SilentLog.class)
class WithoutOrderTest {
    private static final int WORKERS = 4;

    private static RealPostgres server;

    @BeforeAll
    static void startServer() {
        server = RealPostgres.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(ClaimStrategy.class)
    void a_single_aggregate_occupies_all_workers_and_each_of_its_events_is_called_once(ClaimStrategy claim)
            throws SQLException {
        OutboxConfig config = OutboxConfig.DEFAULTS.withRelay(
                Relay.DEFAULTS.withWorkers(WORKERS).withClaim(claim));
        CountDownLatch running = new CountDownLatch(WORKERS);
        List<Long> called = new CopyOnWriteArrayList<>();
        try (LiveDatabase database = new LiveDatabase(
                        () -> DriverManager.getConnection(server.url(), server.user(), server.password()),
                        Dialect.POSTGRESQL);
                LiveNode live = new LiveNode(database, config, Map.of("ship", delivery -> {
                    called.add(delivery.head().seq());
                    return withAllOthers(running);
                }))) {
            for (int i = 0; i < WORKERS; i++) {
                live.publishWithoutOrder("order 7");
            }
            live.until("all are delivered", live::isEmpty);
        }
        assertThat(called).hasSize(WORKERS).doesNotHaveDuplicates();
    }

    /** No call ends before all have begun. */
    private static Outcome withAllOthers(CountDownLatch running) {
        running.countDown();
        try {
            return running.await(20, TimeUnit.SECONDS)
                    ? new Outcome.Done(false)
                    : new Outcome.Failed(new IllegalStateException("the others did not begin"));
        } catch (InterruptedException e) {
            return new Outcome.Failed(e);
        }
    }
}
