package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.broker.RealKafka;
import io.outboxed.servers.database.RealPostgres;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker that is slow must not keep the database's transactions open: events are sent outside of any. */
class OpenTransactionsTest {
    private static final RealKafka KAFKA = RealKafka.shared();
    private static final int EVENTS = 20;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void no_transaction_of_the_database_is_open_while_events_are_on_their_way(boolean strict) throws Exception {
        String topic = "open-transactions-" + strict;
        KAFKA.createTopic(topic);
        CountDownLatch sending = new CountDownLatch(1);
        CountDownLatch confirmed = new CountDownLatch(1);
        IoThreadInterceptor.nextHangsUntil(sending, confirmed);
        try (StoredEvents stored = StoredEvents.in(RealPostgres.start());
                Connection connection = stored.open();
                ForwardingNode node = new ForwardingNode(stored::open, settings(topic, strict));
                AutoCloseable release = confirmed::countDown) {
            assertThat(node).isNotNull();
            stored.publish(EVENTS, 1, 1);
            Patience.until("an event is on its way", () -> sending.getCount() == 0);

            OffsetDateTime onItsWay = now(connection);
            Patience.until("no transaction is as old as that", () -> openSince(onItsWay, connection) == 0);
            assertThat(stored.left()).as("on their way").isPositive();

            release.close();
            Patience.until("all events are forwarded", () -> stored.left() == 0);
        }
    }

    private static OffsetDateTime now(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT clock_timestamp()")) {
            row.next();
            return row.getObject(1, OffsetDateTime.class);
        }
    }

    /** Those that began at this time or earlier. Heartbeats and the like begin and end all the time. */
    private static int openSince(OffsetDateTime time, Connection connection) {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT COUNT(*) FROM pg_stat_activity WHERE usename = CURRENT_USER AND xact_start <= ?")) {
            statement.setObject(1, time);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static KafkaSettings settings(String topic, boolean strict) {
        return ForwardingNode.settings(
                KAFKA.address(), topic, strict, Map.of("interceptor.classes", IoThreadInterceptor.class.getName()));
    }
}
