package io.outboxed.reactivemessaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.ApplicationServer;
import io.outboxed.servers.ServerSetup;
import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.broker.TopicHistory;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The example's WAR in a server, its database, and a broker that the server has not seen yet when it starts. */
final class RunningExample implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    final StoredEvents stored = new StoredEvents();
    final RealKafka kafka = RealKafka.cluster(1);
    final ApplicationServer server;

    RunningExample() throws SQLException {
        kafka.kill();
        server = ApplicationServer.of(ServerSetup.of(
                        System.getProperty("it.server"),
                        Path.of(System.getProperty("it.distribution")),
                        Path.of(System.getProperty("it.war")),
                        Path.of(System.getProperty("it.directory")))
                .withReactiveMessaging()
                .shortLived()
                .with("-Dmp.messaging.outgoing.events.connector=" + System.getProperty("it.connector"))
                .with("-Dmp.messaging.outgoing.events.bootstrap.servers=" + kafka.address())
                .with("-Doutbox.handler.defer-delay=500ms")
                .with("-Doutbox.retry.initial-delay=100ms")
                .with("-Doutbox.retry.max-attempts=3"));
        startServer();
        kafka.start();
    }

    void startServer() {
        server.start(Map.of(
                        "OUTBOX_DATASOURCE_URL", stored.url(),
                        "OUTBOX_DATASOURCE_USER", StoredEvents.USER,
                        "OUTBOX_DATASOURCE_PASSWORD", StoredEvents.USER))
                .awaitStarted();
    }

    void awaitAllDone() {
        await("no event is left", () -> stored.left() == 0);
    }

    void await(String what, BooleanSupplier condition) {
        await(what, PATIENCE, condition);
    }

    void await(String what, Duration patience, BooleanSupplier condition) {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within " + patience + ": " + what + "\n" + server.logged());
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    /** All of them, and none before an earlier one of its aggregate. Duplicates are allowed. */
    void assertArrivedInOrder(String topic, int events) {
        TopicHistory history = TopicHistory.of(kafka, topic);
        assertThat(history.distinct()).isEqualTo(events);
        assertThat(history.gaps()).isEmpty();
        assertThat(history.backwards()).isEmpty();
    }

    @Override
    public void close() throws SQLException {
        server.close();
        kafka.close();
        stored.close();
    }
}
