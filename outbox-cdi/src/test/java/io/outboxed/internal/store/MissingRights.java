package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.admin.Attribution;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingState;
import io.outboxed.internal.boot.NodeCleanup;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.operations.BulkRunner;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.partitions.PartitionMaintainer;
import io.outboxed.internal.partitions.PartitionSettings;
import io.outboxed.internal.relay.MaintenanceTask;
import io.outboxed.internal.relay.MaintenanceTask.Step;
import io.outboxed.internal.retention.OldRows;
import io.outboxed.servers.database.RealDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

/** What a node does whose account lacks a right. */
final class MissingRights {
    private MissingRights() {}

    /** A node that may not change them fails and changes nothing. */
    static void partitionsAreLeftAsTheyWere(
            Connection connection, Connection administrator, Dialect dialect, PartitionSettings settings)
            throws SQLException {
        List<String> before = partitions(administrator, dialect);

        assertThatThrownBy(() -> new PartitionMaintainer(dialect, "outbox_", settings).run(connection))
                .satisfies(MissingRights::isDenied);
        assertThat(partitions(administrator, dialect)).isEqualTo(before);
    }

    /** By the database: MySQL's code is that of a table or of a column. */
    private static void isDenied(Throwable failure) {
        assertThat(Stream.iterate(failure, Objects::nonNull, Throwable::getCause))
                .filteredOn(SQLException.class::isInstance)
                .map(SQLException.class::cast)
                .map(cause -> cause.getSQLState().equals("42000")
                        ? String.valueOf(cause.getErrorCode())
                        : cause.getSQLState())
                .containsAnyOf("42501", "1142", "1143");
    }

    private static List<String> partitions(Connection connection, Dialect dialect) throws SQLException {
        return new Jdbc(connection, dialect)
                .list(
                        dialect == Dialect.POSTGRESQL
                                ? "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent ="
                                        + " 'outbox_history'::regclass ORDER BY 1"
                                : "SELECT partition_name AS name FROM information_schema.partitions WHERE table_schema"
                                        + " = 'outbox' AND table_name = 'outbox_history' ORDER BY 1",
                        row -> row.getString("name"));
    }

    /**
     * A bulk operation.
     *
     * @param right that it needs
     * @param unchanged the rows that it has not changed
     */
    private record Bulk(BulkRequest request, String right, String unchanged) {}

    /** As a node works on them: nothing is changed without the right, and all is once it is granted. */
    static void bulkOperationsWaitForThem(
            RealDatabase database, Connection administrator, String application, Dialect dialect) throws SQLException {
        ConnectionSource source = asApplication(database);
        Jdbc admin = new Jdbc(administrator, dialect);
        try (Connection connection = source.open();
                OutboxOperations operations = OutboxOperations.open(source, "outbox_");
                Connections lasting = new Connections(source, dialect, 1)) {
            BulkRunner node = operations.bulkRunner(lasting, discarded -> {});
            OldRows rows = new OldRows(connection, dialect, "outbox_");
            long tomorrow = rows.ago(Duration.ofDays(-1));
            for (Bulk bulk : List.of(
                    new Bulk(BulkRequest.discard(DeadLetterFilter.all()), "DELETE ON outbox_dead", "dead"),
                    new Bulk(
                            BulkRequest.replay(DeadLetterFilter.all()).allowReordering(true),
                            "DELETE ON outbox_dead",
                            "dead"),
                    new Bulk(
                            BulkRequest.retry(WaitingFilter.in(WaitingState.WAITING)),
                            "UPDATE ON outbox_delivery",
                            "delivery WHERE due_at = " + tomorrow))) {
                if (bulk.request().kind() == BulkRequest.Kind.RETRY) {
                    rows.waiting(tomorrow, 3);
                } else {
                    rows.deadLetters(1, 0, 3);
                }
                UUID id = operations
                        .bulk()
                        .start(bulk.request(), new Attribution("alice", "cli", "an old shop"))
                        .id();
                int audited = operations.audit().page(null, 10).entries().size();

                admin.update("REVOKE " + bulk.right() + " FROM " + application);
                try {
                    assertThatThrownBy(node::work).as("%s", bulk).satisfies(MissingRights::isDenied);
                    assertThat(count(admin, bulk.unchanged())).as("%s", bulk).isEqualTo(3);
                    assertThat(operations.bulk().find(id).orElseThrow().changed())
                            .isZero();
                    assertThat(operations.audit().page(null, 10).entries()).hasSize(audited);
                } finally {
                    admin.update("GRANT " + bulk.right() + " TO " + application);
                }
                for (int round = 0; round < 10; round++) {
                    node.work();
                }
                BulkOperation done = operations.bulk().find(id).orElseThrow();
                assertThat(done.state()).as("%s", bulk).isEqualTo(BulkOperation.State.COMPLETE);
                assertThat(done.changed()).as("%s", bulk).isEqualTo(3);
                assertThat(count(admin, bulk.unchanged())).as("%s", bulk).isZero();
            }
        }
    }

    /** As a node cleans up: it deletes nothing of this table without the right, and goes on once it is granted. */
    static void cleanupWaitsForThem(
            RealDatabase database, Connection administrator, String application, Dialect dialect) throws SQLException {
        ConnectionSource source = asApplication(database);
        Jdbc admin = new Jdbc(administrator, dialect);
        try (Connection connection = source.open();
                OutboxOperations operations = OutboxOperations.open(source, "outbox_");
                Connections lasting = new Connections(source, dialect, 1)) {
            OldRows rows = new OldRows(connection, dialect, "outbox_");
            rows.history(rows.ago(Duration.ofDays(100)), 3);
            rows.inbox(rows.ago(Duration.ofDays(100)), 3);
            rows.deadLetters(rows.ago(Duration.ofDays(100)), 0, 3);
            MaintenanceTask cleanup = NodeCleanup.of(lasting, dialect, "outbox_", operations.audit());

            admin.update("REVOKE DELETE ON outbox_history FROM " + application);
            admin.update("REVOKE INSERT ON outbox_audit FROM " + application);
            try {
                assertThatThrownBy(cleanup::step)
                        .hasMessageContaining("outbox_history failed")
                        .satisfies(MissingRights::isDenied);
                assertThatThrownBy(() -> lastOf(cleanup))
                        .hasMessageContaining("outbox_audit failed")
                        .satisfies(MissingRights::isDenied);
                assertThat(lastOf(cleanup)).as("no further failure of this run").isEqualTo(Step.SKIPPED);
                assertThat(count(admin, "history")).isEqualTo(3);
                assertThat(count(admin, "inbox")).as("another table").isZero();
                assertThat(count(admin, "dead")).as("nothing without its audit").isEqualTo(3);
            } finally {
                admin.update("GRANT DELETE ON outbox_history TO " + application);
                admin.update("GRANT INSERT ON outbox_audit TO " + application);
            }
            assertThat(lastOf(cleanup)).isEqualTo(Step.COMPLETE);
            assertThat(count(admin, "history")).isZero();
            assertThat(count(admin, "dead")).isZero();
        }
    }

    private static Step lastOf(MaintenanceTask run) {
        Step step = run.step();
        while (step == Step.MORE) {
            step = run.step();
        }
        return step;
    }

    private static int count(Jdbc jdbc, String table) throws SQLException {
        return jdbc.first("SELECT COUNT(*) AS found FROM outbox_" + table, row -> row.getInt("found"))
                .orElseThrow();
    }

    private static ConnectionSource asApplication(RealDatabase database) {
        return () -> DriverManager.getConnection(database.url(), "outbox_app", "change me");
    }
}
