package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.outboxed.datasource.ConfiguredDataSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.schema.Schema;
import io.outboxed.servers.database.RealPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What PostgreSQL's driver says of events that can't be stored. */
class PostgresPayloadTest {
    private static final String KEYS = "payload-test";

    private final RealPostgres server = RealPostgres.start();
    private final Map<String, String> settings =
            Map.of("url", server.url(), "user", server.user(), "password", server.password());

    PostgresPayloadTest() {
        settings.forEach((key, value) -> System.setProperty(KEYS + "." + key, value));
    }

    @AfterEach
    void stop() {
        settings.keySet().forEach(key -> System.clearProperty(KEYS + "." + key));
        server.close();
    }

    @Test
    void the_failure_of_a_batch_quotes_no_payload() throws SQLException {
        ConfiguredDataSource source = new ConfiguredDataSource();
        source.setPrefix(KEYS);
        new Schema(source::connect, Dialect.POSTGRESQL, "outbox_").create();

        try (Connection connection = source.connect()) {
            SQLException failure = catchThrowableOfType(
                    SQLException.class,
                    () -> new Jdbc(connection, Dialect.POSTGRESQL)
                            .batch(
                                    "INSERT INTO outbox_message (seq, id, shard, lane, type, payload)"
                                            + " VALUES (?, ?, ?, ?, ?, ?)",
                                    List.of(
                                            new Object[] {7L, UUID.randomUUID(), 1, 1L, "order", "secret of one"},
                                            new Object[] {7L, UUID.randomUUID(), 1, 1L, "order", "secret of two"})));

            assertThat(messages(failure))
                    .as("it says what is wrong")
                    .contains("outbox_message_pkey")
                    .doesNotContain("secret");
        }
    }

    /** Of the causes and of the next exceptions. */
    private static String messages(SQLException failure) {
        return StreamSupport.stream(failure.spliterator(), false)
                .map(Throwable::toString)
                .collect(Collectors.joining("\n"));
    }
}
