package io.outboxed.kafkarelay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.ApplicationServer;
import io.outboxed.servers.ServerSetup;
import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.broker.TopicHistory;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.RealPostgres;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The packaged WAR in a server, with nothing but configuration. */
class KafkaRelayIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MIB = 1024 * 1024;

    private static ApplicationServer misconfigured;

    /** Beside the other server, to save time. */
    @BeforeAll
    static void startWithWrongSettings() {
        misconfigured = ApplicationServer.of(setup("refused").with("-Doutbox.kafka.acks=1"));
        misconfigured.start(Map.of("OUTBOX_DATASOURCE_URL", "jdbc:postgresql://127.0.0.1:1/none"));
    }

    @AfterAll
    static void stop() {
        misconfigured.close();
    }

    @Test
    void what_another_application_has_stored_is_forwarded_once_broker_and_topics_are_there() throws SQLException {
        try (RealKafka kafka = RealKafka.cluster(1);
                StoredElsewhere stored = new StoredElsewhere(RealPostgres::start);
                ApplicationServer server = ApplicationServer.of(setup("forwards")
                        .with("-Doutbox.kafka.route.\"order.*\"=orders")
                        .with("-Doutbox.kafka.route.\"late.*\"=late")
                        .with("-Doutbox.handler.defer-delay=500ms"))) {
            kafka.createTopic("orders");
            kafka.kill();
            server.start(variables(stored, kafka)).awaitStarted();
            until(
                    server,
                    "the missing broker is reported",
                    () -> server.logged()
                            .contains("OUTBOX-0890 events can't be forwarded to Kafka at " + kafka.address()));
            stored.publish("order.placed", 20, 1, 5);
            stored.publish("late.order", 10, 1, 2);
            stored.publishTooLarge("order.placed", 2 * MIB);
            stored.publish("order.placed", 20, 6, 10);

            kafka.start();
            until(server, "only the events for the missing topic are left", () -> stored.left() == 20);
            assertThat(server.logged())
                    .contains("topic late: it does not exist, or this application has no permission");
            kafka.createTopic("late");
            until(server, "all events are forwarded", () -> stored.left() == 0);

            until(
                    server,
                    "the end of the outage is reported",
                    () -> server.logged().contains("OUTBOX-0891"));
            assertThat(stored.deadLetters())
                    .singleElement()
                    .asString()
                    .contains("kafka")
                    .contains("OUTBOX-0804");
            arrived(TopicHistory.of(kafka, "orders"), 200);
            arrived(TopicHistory.of(kafka, "late"), 20);
        }
    }

    /** The other database whose driver the WAR contains. */
    @Test
    void what_another_application_has_stored_in_mysql_is_forwarded() throws SQLException {
        try (RealKafka kafka = RealKafka.cluster(1);
                StoredElsewhere stored = new StoredElsewhere(RealMySql::start);
                ApplicationServer server =
                        ApplicationServer.of(setup("mysql").with("-Doutbox.kafka.route.\"order.*\"=orders"))) {
            kafka.createTopic("orders");
            server.start(variables(stored, kafka)).awaitStarted();
            stored.publish("order.placed", 20, 1, 10);

            until(server, "all events are forwarded", () -> stored.left() == 0);
            assertThat(stored.deadLetters()).isEmpty();
            arrived(TopicHistory.of(kafka, "orders"), 200);
        }
    }

    private static Map<String, String> variables(StoredElsewhere stored, RealKafka kafka) {
        return Map.of(
                "OUTBOX_DATASOURCE_URL", stored.url(),
                "OUTBOX_DATASOURCE_USER", stored.user(),
                "OUTBOX_DATASOURCE_PASSWORD", stored.password(),
                "OUTBOX_KAFKA_BOOTSTRAP_SERVERS", kafka.address());
    }

    @Test
    void everything_that_is_missing_in_the_configuration_is_named_when_it_is_deployed() {
        assertThat(misconfigured.awaitStarted().logged())
                .contains("OUTBOX-0800 3 settings are wrong for Kafka; nothing was deployed:")
                .contains("outbox.kafka.bootstrap.servers: expected host:port, or several of them separated by"
                        + " commas, but it is not set")
                .contains("outbox.kafka.route.*: no route is set, so nothing would be forwarded")
                .contains("outbox.kafka.acks: expected -1|all");
    }

    private static void arrived(TopicHistory history, int events) {
        assertThat(history.distinct()).isEqualTo(events);
        assertThat(history.gaps()).isEmpty();
        assertThat(history.backwards()).isEmpty();
    }

    private static ServerSetup setup(String test) {
        return ServerSetup.of(
                        System.getProperty("it.server"),
                        Path.of(System.getProperty("it.distribution")),
                        Path.of(System.getProperty("it.war")),
                        Path.of(System.getProperty("it.directory"), test))
                .with("-Xmx512m")
                .shortLived();
    }

    private static void until(ApplicationServer server, String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within " + PATIENCE + ": " + what + "\n" + server.logged());
            }
            LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        }
    }
}
