package io.outboxed.internal.partitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.admin.Attribution;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.retention.OldRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the audit has about a run that an operator has started, and when. */
interface PartitionAuditContract extends PartitionsFixture {
    Attribution ALICE = new Attribution("alice", "cli", "a new quarter");
    Attribution BOB = new Attribution("bob", "cli", "");

    private PartitionRun byAlice(PartitionSettings settings) {
        try (OutboxOperations operations = OutboxOperations.open(this::connect, PREFIX)) {
            return operations.partitions().apply(settings, ALICE);
        }
    }

    private List<String> audit() throws SQLException {
        return new Jdbc(admin(), dialect())
                .list(
                        "SELECT CONCAT(changed_by, ', ', changed_via, ', ', reason, ', ', action, ': ', target, ' (',"
                                + " changes, ')') AS entry FROM " + PREFIX + "audit ORDER BY changed_at",
                        row -> row.getString("entry"));
    }

    private String names(int from, int to) throws SQLException {
        List<HistoryPartition> partitions = layout().partitions();
        return partitions.get(from).name() + " to " + partitions.get(to).name();
    }

    @Test
    default void a_run_has_one_row_in_the_audit_that_names_all_its_changes() throws Exception {
        execute(addForeign("p20010101", 1000));
        execute(addForeign("p20010102", 2000));
        execute(addForeign("p20010103", 3000));
        assertThat(byAlice(days(20, Optional.of(DAY)))).isInstanceOf(PartitionRun.Done.class);

        int added = layout().partitions().size();
        assertThat(audit())
                .containsExactly("alice, cli, a new quarter, partitions: created " + names(0, added - 1)
                        + ", dropped p20010101 to p20010103 (" + (added + 3) + ")");
    }

    @Test
    default void a_run_that_changes_nothing_and_a_run_of_a_node_have_no_row() throws Exception {
        assertThat(run(days(2, FOR_EVER)).statements()).isNotEmpty();
        assertThat(byAlice(days(2, FOR_EVER))).isEqualTo(new PartitionRun.Done(List.of()));
        rows().history(rows().ago(DAY.multipliedBy(-20)), 3);
        assertThat(byAlice(new PartitionSettings(
                        Period.DAY, DAY.multipliedBy(9), FOR_EVER, 2, 1_000, Duration.ofSeconds(1), Duration.ZERO)))
                .isInstanceOf(PartitionRun.TailTooLong.class);
        try (Connection other = connect()) {
            new Jdbc(other, dialect()).list(new PartitionSql(dialect(), PREFIX).lock(), row -> row.getLong("found"));
            assertThat(byAlice(days(30, FOR_EVER))).isInstanceOf(PartitionRun.Busy.class);
        }
        assertThat(audit()).isEmpty();
    }

    @Test
    default void the_audit_of_a_change_that_is_given_up_says_that_nothing_was_changed() throws Exception {
        try (Connection business = connect()) {
            business.setAutoCommit(false);
            new OldRows(business, dialect(), PREFIX).history(rows().ago(Duration.ZERO), 1);
            assertThat(byAlice(days(2, FOR_EVER))).isInstanceOf(PartitionRun.Postponed.class);
            business.rollback();
        }
        assertThat(audit())
                .as("a row cannot be written with a change that commits at once")
                .isEqualTo(
                        dialect().isMySqlFamily()
                                ? List.of("alice, cli, a new quarter, partitions: nothing was changed (0)")
                                : List.of());
    }

    @Test
    default void no_change_can_be_seen_before_its_record() throws Exception {
        List<String> recorded = new ArrayList<>();
        List<Integer> seen = new ArrayList<>();
        maintainer(days(20, FOR_EVER)).run(admin(), (jdbc, progress) -> {
            try (Connection other = connect()) {
                seen.add(seenBy(other) - progress.made().size());
            }
            recorded.add(progress.words());
        });

        assertThat(seen)
                .as("partitions that others see, without those that were made")
                .containsOnly(dialect().isMySqlFamily() ? 0 : -1);
        String last = "created " + names(0, layout().partitions().size() - 1);
        assertThat(recorded).last().isEqualTo(last);
        assertThat(recorded.get(0))
                .isEqualTo(
                        dialect().isMySqlFamily()
                                ? "begun to create " + names(0, 7)
                                : "created " + layout().partitions().get(0).name());
    }

    /** Without the tail. PostgreSQL: no function that would wait for the lock of the change. */
    private int seenBy(Connection connection) throws SQLException {
        String partitions = dialect().isMySqlFamily()
                ? "SELECT COUNT(*) - 1 AS found FROM information_schema.partitions WHERE table_schema = DATABASE()"
                        + " AND table_name = '" + HISTORY + "'"
                : "SELECT COUNT(*) - 1 AS found FROM pg_inherits WHERE inhparent = to_regclass('" + HISTORY + "')";
        return new Jdbc(connection, dialect())
                .first(partitions, row -> row.getInt("found"))
                .orElseThrow();
    }

    @Test
    default void a_change_whose_record_cannot_be_written_is_not_made() throws Exception {
        assertThatThrownBy(() -> maintainer(days(20, FOR_EVER)).run(admin(), (jdbc, progress) -> {
                    throw new SQLException("no room", "53100");
                }))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("no room");
        assertThat(layout().partitions()).isEmpty();
    }
}
