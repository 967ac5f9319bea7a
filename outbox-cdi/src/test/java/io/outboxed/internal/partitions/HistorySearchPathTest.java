package io.outboxed.internal.partitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.NamedLock;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.retention.OldRows;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.schema.SearchPath;
import io.outboxed.servers.database.RealPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A history of PostgreSQL that the search path finds in another schema than the one that new tables get. */
class HistorySearchPathTest {
    private static final String PREFIX = "found_";
    private static final String HISTORY = SearchPath.FAR + ".found_history";
    private static final Duration DAY = Duration.ofDays(1);
    private static final Optional<Duration> FOR_EVER = Optional.empty();

    @AutoClose
    private static final RealPostgres SERVER = RealPostgres.start();

    private static final SearchPath PATH = new SearchPath(SERVER);

    private Connection session;
    private OldRows rows;

    @BeforeEach
    void createTables() throws SQLException {
        PATH.create();
        session = PATH.alongBoth();
        new Schema(PATH::inFar, Dialect.POSTGRESQL, PREFIX).create();
        rows = new OldRows(session, Dialect.POSTGRESQL, PREFIX);
    }

    @AfterEach
    void close() throws SQLException {
        session.close();
    }

    @Test
    void its_partitions_are_made_in_its_own_schema_and_a_second_run_changes_nothing() throws SQLException {
        rows.history(rows.ago(DAY.multipliedBy(40)), 3);
        PartitionDryRun dryRun = maintainer(FOR_EVER).dryRun(session);

        assertThat(maintainer(FOR_EVER).run(session)).isEqualTo(new PartitionRun.Done(dryRun.statements()));
        assertThat(dryRun.statements())
                .contains("CREATE TABLE " + HISTORY + "_rest PARTITION OF " + HISTORY + " DEFAULT");
        assertThat(PATH.tablesInNear()).isEmpty();
        assertThat(layout().partitions()).hasSizeGreaterThan(1).allMatch(HistoryPartition::isOurs);
        assertThat(maintainer(FOR_EVER).run(session)).isEqualTo(new PartitionRun.Done(List.of()));
    }

    @Test
    void its_partitions_are_dropped_when_they_are_old() throws SQLException {
        rows.history(rows.ago(DAY.multipliedBy(40)), 3);
        maintainer(FOR_EVER).run(session);
        String first = layout().partitions().get(0).name();
        asIfItHadEnded(first, rows.ago(DAY.multipliedBy(20)));
        PartitionMaintainer maintainer = maintainer(Optional.of(DAY.multipliedBy(7)));

        assertThat(maintainer.run(session).statements()).endsWith("DROP TABLE " + HISTORY + "_" + first);
        assertThat(PATH.tablesInNear()).isEmpty();
        assertThat(maintainer.run(session)).isEqualTo(new PartitionRun.Done(List.of()));
    }

    private void asIfItHadEnded(String partition, long end) throws SQLException {
        String table = HISTORY + "_" + partition;
        PATH.execute("ALTER TABLE " + HISTORY + " DETACH PARTITION " + table);
        PATH.execute("ALTER TABLE " + HISTORY + " ATTACH PARTITION " + table + " FOR VALUES FROM (MINVALUE) TO (" + end
                + ")");
    }

    @Test
    void what_is_to_be_done_by_hand_names_its_schema() throws SQLException {
        PATH.execute("DROP TABLE " + HISTORY + "_rest");

        assertThatThrownBy(() -> maintainer(FOR_EVER).run(session))
                .hasMessageStartingWith("OUTBOX-0312 ")
                .hasMessageContaining("CREATE TABLE " + HISTORY + "_rest PARTITION OF " + HISTORY + " DEFAULT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"outbox_history", "outbox_cleanup"})
    void sessions_that_find_it_along_other_paths_take_the_same_lock(String name) throws SQLException {
        String lock = new NamedLock(new SqlText(Dialect.POSTGRESQL, PREFIX), name).tryLock();
        try (Connection other = PATH.inFar()) {
            assertThat(number(other, lock)).isEqualTo(1);
            assertThat(number(session, lock)).isZero();
        }
    }

    private static PartitionMaintainer maintainer(Optional<Duration> retention) {
        return new PartitionMaintainer(
                Dialect.POSTGRESQL, PREFIX, PartitionSettings.of(Period.DAY, DAY.multipliedBy(2), retention));
    }

    private PartitionLayout layout() throws SQLException {
        return PartitionLayout.read(
                new Jdbc(session, Dialect.POSTGRESQL), new PartitionSql(Dialect.POSTGRESQL, PREFIX));
    }

    private static long number(Connection connection, String query) throws SQLException {
        return new Jdbc(connection, Dialect.POSTGRESQL)
                .first(query, row -> row.getLong("found"))
                .orElseThrow();
    }
}
