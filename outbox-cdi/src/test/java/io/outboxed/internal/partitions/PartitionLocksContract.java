package io.outboxed.internal.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.retention.OldRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the maintenance of partitions waits for, and what waits for it. */
interface PartitionLocksContract extends PartitionsFixture {

    @Test
    default void one_session_at_a_time_maintains_the_partitions() throws Exception {
        PartitionSql sql = new PartitionSql(dialect(), PREFIX);
        try (Connection other = connect()) {
            new Jdbc(other, dialect()).list(sql.lock(), row -> row.getLong("found"));

            assertThat(run(days(2, FOR_EVER))).isInstanceOf(PartitionRun.Busy.class);
            assertThat(layout().partitions()).isEmpty();
        }
        for (int attempt = 0; run(days(2, FOR_EVER)) instanceof PartitionRun.Busy; attempt++) {
            assertThat(attempt).as("the server notices the end of the session").isLessThan(1000);
        }
        assertThat(layout().partitions()).isNotEmpty();
    }

    @Test
    default void a_transaction_that_uses_the_history_is_waited_for_only_briefly() throws Exception {
        try (Connection business = connect()) {
            business.setAutoCommit(false);
            new OldRows(business, dialect(), PREFIX).history(rows().ago(Duration.ZERO), 1);
            long startedAt = System.nanoTime();
            PartitionRun run = run(days(2, FOR_EVER));

            assertThat(run).isInstanceOf(PartitionRun.Postponed.class);
            assertThat(Duration.ofNanos(System.nanoTime() - startedAt)).isLessThan(Duration.ofSeconds(20));
            business.commit();
        }
        assertThat(run(days(2, FOR_EVER))).isInstanceOf(PartitionRun.Done.class);
        assertThat(count()).isEqualTo(1);
    }

    @Test
    default void the_session_keeps_its_settings_and_its_lock_is_released() throws Exception {
        PartitionSql sql = new PartitionSql(dialect(), PREFIX);
        String before = text(sql.lockWait());
        run(days(2, FOR_EVER));

        assertThat(text(sql.lockWait())).isEqualTo(before);
        try (Connection other = connect()) {
            assertThat(new Jdbc(other, dialect()).list(sql.lock(), row -> row.getLong("found")))
                    .containsExactly(1L);
        }
    }

    private String text(String query) throws SQLException {
        return new Jdbc(admin(), dialect())
                .list(query, row -> row.getString("found"))
                .get(0);
    }

    @Test
    default void it_runs_on_the_relays_own_connections() {
        try (Connections connections = new Connections(this::connect, dialect(), 1)) {
            assertThat(connections.<PartitionRun>read(
                            jdbc -> maintainer(days(2, FOR_EVER)).run(jdbc.connection())))
                    .isInstanceOf(PartitionRun.Done.class);
        }
    }
}
