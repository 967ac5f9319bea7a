package io.outboxed.internal.partitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.admin.Attribution;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.schema.Schema;
import io.outboxed.servers.database.RealPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A history of PostgreSQL whose partitions are made by a member of its owner. */
class HistoryOwnerTest {
    private static final PartitionSettings MONTH =
            PartitionSettings.of(Period.DAY, Duration.ofDays(2), Optional.of(Duration.ofDays(30)));

    @AutoClose
    private static final RealPostgres SERVER = RealPostgres.start();

    @Test
    void partitions_belong_to_the_owner_whatever_its_name_is() throws SQLException {
        try (Connection admin = superuser();
                Connection member = memberOf(admin, "user", "a_")) {
            execute(admin, "GRANT CREATE ON SCHEMA public TO \"user\"");

            assertThat(maintainer("a_").run(member).statements())
                    .filteredOn(each -> each.contains("OWNER TO"))
                    .isNotEmpty();
            assertThat(owners(admin, "a_")).containsExactly("user");
        }
    }

    @Test
    void an_owner_that_may_not_create_tables_is_named_with_the_right_that_it_lacks() throws SQLException {
        PartitionMaintainer maintainer = maintainer("b_");
        try (Connection admin = superuser();
                Connection member = memberOf(admin, "keeper", "b_")) {
            assertThatThrownBy(() -> maintainer.run(member))
                    .hasMessageStartingWith("OUTBOX-0312 ")
                    .hasMessageContaining("GRANT CREATE ON SCHEMA public TO \"keeper\"");
            assertThat(owners(admin, "b_")).as("nothing was made").containsExactly("keeper");

            execute(admin, "GRANT CREATE ON SCHEMA public TO keeper");
            assertThat(maintainer.run(member)).isInstanceOf(PartitionRun.Done.class);
            execute(admin, "REVOKE CREATE ON SCHEMA public FROM keeper");
            assertThat(maintainer.run(member)).as("has nothing to add").isInstanceOf(PartitionRun.Done.class);
            assertThat(owners(admin, "b_")).containsExactly("keeper");
        }
    }

    @Test
    void old_partitions_are_dropped_even_if_their_owner_may_not_have_new_ones() throws SQLException {
        try (Connection admin = superuser();
                Connection member = memberOf(admin, "guardian", "d_")) {
            addOldPartition(admin, "guardian", "d_");
            PartitionMaintainer retaining = new PartitionMaintainer(Dialect.POSTGRESQL, "d_", MONTH);

            assertThatThrownBy(() -> retaining.run(member)).hasMessageStartingWith("OUTBOX-0312 ");

            assertThat(tables(admin, "d_history_p%")).isEmpty();
        }
    }

    @Test
    void an_operator_is_shown_what_is_dropped_nevertheless_and_may_have_it_dropped() throws SQLException {
        try (Connection admin = superuser();
                Connection member = memberOf(admin, "warden", "e_")) {
            addOldPartition(admin, "warden", "e_");
            execute(admin, "GRANT SELECT ON e_meta TO e_member");
            execute(admin, "GRANT SELECT, INSERT, UPDATE ON e_audit TO e_member");
            try (OutboxOperations operations = OutboxOperations.open(() -> asMember("e_"), "e_")) {
                PartitionDryRun plan = operations.partitions().plan(MONTH);
                assertThat(plan.statements()).isNotEmpty().allMatch(each -> each.contains("e_history_p20200101"));
                assertThat(plan.refusal())
                        .hasValueSatisfying(refusal -> assertThat(refusal).hasMessageStartingWith("OUTBOX-0312 "));

                assertThatThrownBy(() -> operations.partitions().apply(MONTH, new Attribution("ann", "test", "")))
                        .hasMessageStartingWith("OUTBOX-0312 ");
            }
            assertThat(tables(admin, "e_history_p%")).isEmpty();
        }
    }

    @Test
    void a_superuser_needs_no_right_of_the_owner() throws SQLException {
        try (Connection admin = superuser();
                Connection member = memberOf(admin, "other", "c_")) {
            assertThat(maintainer("c_").run(admin)).isInstanceOf(PartitionRun.Done.class);
            assertThat(owners(admin, "c_")).containsExactly("other");
        }
    }

    private static PartitionMaintainer maintainer(String prefix) {
        return new PartitionMaintainer(
                Dialect.POSTGRESQL,
                prefix,
                PartitionSettings.of(Period.DAY, Duration.ofDays(2), Optional.<Duration>empty()));
    }

    private static Connection superuser() throws SQLException {
        return DriverManager.getConnection(SERVER.url(), "postgres", SERVER.administratorPassword());
    }

    /** Of a role that owns the history, but has no other right. The member may create tables. */
    private static Connection memberOf(Connection admin, String owner, String prefix) throws SQLException {
        new Schema(HistoryOwnerTest::superuser, Dialect.POSTGRESQL, prefix).create();
        execute(admin, "CREATE ROLE \"" + owner + "\"");
        execute(admin, "ALTER TABLE " + prefix + "history OWNER TO \"" + owner + "\"");
        execute(admin, "ALTER TABLE " + prefix + "history_rest OWNER TO \"" + owner + "\"");
        String member = prefix + "member";
        execute(admin, "CREATE ROLE " + member + " LOGIN PASSWORD 'member' IN ROLE \"" + owner + "\"");
        execute(admin, "GRANT USAGE, CREATE ON SCHEMA public TO " + member);
        return asMember(prefix);
    }

    private static void addOldPartition(Connection admin, String owner, String prefix) throws SQLException {
        String name = prefix + "history_p20200101";
        execute(
                admin,
                "CREATE TABLE " + name + " PARTITION OF " + prefix + "history"
                        + " FOR VALUES FROM (1577836800000000) TO (1577923200000000)");
        execute(admin, "ALTER TABLE " + name + " OWNER TO " + owner);
    }

    private static Connection asMember(String prefix) throws SQLException {
        return DriverManager.getConnection(SERVER.url(), prefix + "member", "member");
    }

    private static List<String> owners(Connection admin, String prefix) throws SQLException {
        return new Jdbc(admin, Dialect.POSTGRESQL)
                .list(
                        "SELECT DISTINCT tableowner AS owner FROM pg_tables WHERE tablename LIKE '" + prefix
                                + "history%'",
                        row -> row.getString("owner"));
    }

    private static List<String> tables(Connection admin, String like) throws SQLException {
        return new Jdbc(admin, Dialect.POSTGRESQL)
                .list(
                        "SELECT tablename FROM pg_tables WHERE tablename LIKE '" + like + "'",
                        row -> row.getString("tablename"));
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
