package io.outboxed.internal.partitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.admin.EventContent;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.retention.OldRows;
import io.outboxed.internal.schema.Schema;
import io.outboxed.servers.database.RealPostgres;
import io.outboxed.servers.database.ServerOptions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** PostgreSQL has room for a number of locks, which all sessions share. */
class ManyPartitionsTest {
    private static final int HOURS = 600;
    private static final String HISTORY = "SELECT id FROM outbox_history";

    @AutoClose
    private static final RealPostgres SERVER = RealPostgres.start(fewLocks());

    private static ServerOptions fewLocks() {
        ServerOptions options = ServerOptions.temporary();
        // what is left of a huge page would be room for more
        for (String setting : List.of(
                "max_locks_per_transaction=10",
                "max_connections=20",
                "max_prepared_transactions=0",
                "huge_pages=off")) {
            options = options.with("-c").with(setting);
        }
        return options;
    }

    @Test
    void an_event_is_found_in_a_history_of_more_partitions_than_the_server_has_locks_for() throws Exception {
        PartitionSettings byHour = PartitionSettings.of(Period.HOUR, Duration.ofHours(HOURS), Optional.empty());
        try (Connection admin = connect();
                OutboxOperations operations = new OutboxOperations(this::connect, Dialect.POSTGRESQL, "outbox_")) {
            new Schema(this::connect, Dialect.POSTGRESQL, "outbox_").create();
            new PartitionMaintainer(Dialect.POSTGRESQL, "outbox_", byHour).run(admin);
            Jdbc jdbc = new Jdbc(admin, Dialect.POSTGRESQL);
            assertThatThrownBy(() -> jdbc.exists(HISTORY + " LIMIT 1"))
                    .as("all at once")
                    .hasStackTraceContaining("out of shared memory");
            OldRows rows = new OldRows(admin, Dialect.POSTGRESQL, "outbox_");
            rows.history(rows.ago(Duration.ofDays(3)), 1);
            rows.history(rows.ago(Duration.ofHours(-HOURS / 2)), 1);

            List<UUID> ids = ids(jdbc, rows.ago(Duration.ofDays(4)), rows.ago(Duration.ofDays(2)));
            ids.addAll(
                    ids(jdbc, rows.ago(Duration.ofHours(1 - HOURS / 2)), rows.ago(Duration.ofHours(-1 - HOURS / 2))));
            assertThat(ids).hasSize(2).allSatisfy(id -> {
                assertThat(operations.event(id).processedAt()).hasSize(1);
                assertThat(operations.messages().content(id))
                        .map(EventContent::text)
                        .contains("{}");
            });
            assertThat(operations.messages().content(UUID.randomUUID())).isEmpty();
        }
    }

    private static List<UUID> ids(Jdbc jdbc, long from, long until) throws SQLException {
        return jdbc.list(
                HISTORY + " WHERE processed_at >= " + from + " AND processed_at < " + until,
                row -> jdbc.uuid(row, "id"));
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(SERVER.url(), SERVER.user(), SERVER.password());
    }
}
