package org.example.busy;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.Outbox;
import io.outboxed.OutboxAdmin;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.PauseTarget;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.node.RelayNode;
import io.outboxed.internal.signal.CommitSignal;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.Resolution;
import io.outboxed.internal.testkit.TestTables;
import io.outboxed.internal.testkit.standalone.StandaloneOutbox;
import io.outboxed.testkit.OutboxTester;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.transaction.Transactional;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.example.orders.OrderPlaced;
import org.example.orders.OrderShipped;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** As in a server: the relay's own threads take back the calls of a handler whose workers are all busy. */
class BusyHandlerTest {
    /** More than the handler has workers. */
    private static final int EVENTS = 12;

    private static final String PRINT = "Printer.print";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @ApplicationScoped
    static class Printer {
        private final CountDownLatch paper = new CountDownLatch(1);

        void refill() {
            paper.countDown();
        }

        @Transactional(Transactional.TxType.NOT_SUPPORTED)
        void print(@Observes OrderShipped shipped) throws InterruptedException {
            paper.await();
        }

        /** With a second handler, none has all workers. */
        void copy(@Observes OrderPlaced placed) {}
    }

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final JdbcConnectionPool database =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "sa");
    private StandaloneOutbox application;
    private RelayNode node;
    private OutboxTester outbox;
    private CompletableFuture<Void> drain;

    @BeforeEach
    void events_wait_for_a_busy_handler() {
        application = StandaloneOutbox.startOn(database, BusyHandlerTest.class, List.of(Printer.class), List.of());
        outbox = application.get(OutboxTester.class);
        HandlerInvoker handlers = application.get(HandlerInvoker.class);
        RelayStore store = application.get(RelayStore.class);
        node = new RelayNode(
                new RelayDependencies(
                        store,
                        handlers,
                        application.get(OutboxConfig.class),
                        System::nanoTime,
                        System::currentTimeMillis,
                        () -> 0.5,
                        application.get(Notifications.class)),
                application.get(CommitSignal.class),
                store.handlers().register(handlers.registrations()).deployment());
        node.start(threads, threads);
        outbox.inTransaction(() -> {
            for (int i = 0; i < EVENTS; i++) {
                application.get(Outbox.class).publish(new OrderShipped("o-" + i));
            }
        });
        TestTables tables = application.get(TestTables.class);
        drain = CompletableFuture.runAsync(() -> outbox.drain(PATIENCE), threads);
        long begun = System.nanoTime();
        while (!tables.left().contains(Resolution.ALL_WORKERS_BUSY)) {
            assertThat(System.nanoTime() - begun).isLessThan(PATIENCE.toNanos());
        }
    }

    @AfterEach
    void close() {
        application.get(Printer.class).refill();
        node.stop();
        application.close();
        threads.shutdown();
        database.dispose();
    }

    @Test
    void a_drain_ends_after_they_are_called() {
        application.get(Printer.class).refill();
        drain.join();
        assertThat(outbox.calls(PRINT)).hasSize(EVENTS);
    }

    @Test
    void a_drain_does_not_wait_for_those_that_are_paused_meanwhile() {
        application.get(OutboxAdmin.class).pause(PauseTarget.handler(PRINT), Attribution.of("ada", "a test"));
        application.get(Printer.class).refill();
        drain.join();
        assertThat(outbox.calls(PRINT)).hasSizeLessThan(EVENTS);
    }
}
