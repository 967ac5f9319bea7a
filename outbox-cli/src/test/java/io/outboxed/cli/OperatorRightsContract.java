package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the accounts that {@code server-config/databases} suggests may do, and what they may not. */
abstract class OperatorRightsContract extends PartitionRightsContract {

    @Test
    void a_viewer_sees_everything() throws SQLException {
        tables().node("n-1", "shop-1", 64);
        UUID id = tables().blocked("order.placed", "1", "mail", "down");
        for (String account : List.of("viewer", "operator")) {
            succeeds(account, "status");
            for (String state : List.of("dead", "blocked", "waiting", "ready", "parked")) {
                succeeds(account, "list", "--state", state);
            }
            succeeds(account, "show", id.toString(), "--payload");
            succeeds(account, "failures");
            succeeds(account, "handlers");
            succeeds(account, "audit");
            succeeds(account, "operations");
            if (dialect().isMySqlFamily()) {
                succeeds(account, "partitions", "--period", "day");
            } else {
                assertThat(run(account, "partitions", "--period", "day")).isEqualTo(ExitCode.DATABASE);
                assertThat(terminal().errors()).contains("A privilege is missing", "outbox_history_rest");
            }
            succeeds(account, "schema", "verify");
            succeeds(account, "schema", "upgrade");
            succeeds(account, "check");
        }
    }

    @Test
    void a_viewer_changes_nothing() throws SQLException {
        tables().handler("order.placed", "old", true);
        tables().waiting("order.placed", "1", "old");
        tables().blocked("order.placed", "2", "mail", "down");
        tables().dead("order.placed", "3", "mail", "down");
        Map<String, Integer> before = tables().counts();

        for (List<String> change : List.of(
                List.of("replay", "--all", "--yes", "--allow-reordering"),
                List.of("discard", "--all", "--yes"),
                List.of("drop-deliveries", "--handler", "old", "--yes"),
                List.of("cleanup", "--older-than", "1m", "--yes"))) {
            assertThat(run("viewer", change.toArray(String[]::new)))
                    .as(change.get(0))
                    .isEqualTo(ExitCode.DATABASE);
            assertThat(terminal().errors()).contains("A privilege is missing");
        }
        assertThat(tables().counts()).isEqualTo(before);
        succeeds("viewer", "check");
        assertThat(terminal().output()).contains("right to replay: not granted: ");
    }

    @Test
    void an_operator_replays_discards_and_drops() throws SQLException {
        tables().handler("order.placed", "old", false);
        tables().waiting("order.placed", "1", "old");
        tables().blocked("order.placed", "2", "mail", "down");
        tables().dead("order.placed", "3", "mail", "down");
        tables().blocked("order.placed", "4", "ship", "down");
        tables().dead("order.placed", "5", "ship", "down");

        succeeds("operator", "replay", "--handler", "mail", "--yes", "--allow-reordering");
        succeeds("operator", "discard", "--handler", "ship", "--yes");
        succeeds("operator", "drop-deliveries", "--handler", "old", "--retire", "--yes");
        assertThat(tables().count("dead")).isZero();
        assertThat(tables().count("message")).as("the two replayed ones").isEqualTo(2);
        assertThat(tables().texts("SELECT handler FROM outbox_delivery")).containsExactly("mail");
        succeeds("operator", "check");
        assertThat(terminal().output()).contains("right to replay: granted");
        assertThat(terminal().output().lines())
                .filteredOn(line -> line.contains("not granted"))
                .allMatch(line -> line.contains("right to change partitions"));
    }

    @Test
    void a_right_is_granted_although_its_table_has_a_column_that_the_database_computes() throws SQLException {
        tables().run("ALTER TABLE outbox_message ADD COLUMN total INT GENERATED ALWAYS AS (payload_size + 1) STORED");
        try {
            succeeds("operator", "check");
            assertThat(terminal().output()).contains("right to replay: granted");
            succeeds("viewer", "check");
            assertThat(terminal().output()).contains("right to replay: not granted: ");
        } finally {
            tables().run("ALTER TABLE outbox_message DROP COLUMN total");
        }
    }

    @Test
    void an_operator_cleans_up() throws SQLException {
        tables().history(100);
        tables().inbox("mail", 100);
        tables().dead("order.placed", "1", "mail", "down");
        tables().handler("order.placed", "old", true);

        succeeds(
                "operator",
                "cleanup",
                "--older-than",
                "90d",
                "--include-inbox",
                "--include-dead",
                "--include-retired",
                "--yes");
        assertThat(tables().texts("SELECT action FROM outbox_audit")).containsExactly("cleanup");
        tables().run("DELETE FROM outbox_audit");
        assertThat(tables().counts())
                .allSatisfy((table, rows) -> assertThat(rows).as(table).isZero());
    }

    @Test
    void a_cleanup_whose_audit_cannot_be_written_deletes_nothing() throws SQLException {
        tables().history(100);
        tables().handler("order.placed", "old", true);
        Map<String, Integer> before = tables().counts();
        for (String right : List.of("INSERT", "UPDATE")) {
            administer("REVOKE " + right + " ON outbox_audit FROM outbox_operator");
            try {
                for (String age : List.of("90d", "101d")) {
                    assertThat(run("operator", "cleanup", "--older-than", age, "--include-retired", "--yes"))
                            .as(right + ", " + age)
                            .isEqualTo(ExitCode.DATABASE);
                    assertThat(terminal().errors()).contains("outbox_audit", "A privilege is missing");
                }
            } finally {
                administer("GRANT " + right + " ON outbox_audit TO outbox_operator");
            }
            assertThat(tables().counts()).as(right).isEqualTo(before);
        }
        succeeds("operator", "cleanup", "--older-than", "90d", "--include-retired", "--yes");
        assertThat(tables().count("history") + tables().count("handler")).isZero();
    }

    @Test
    void a_run_of_the_partitions_whose_audit_cannot_be_written_changes_nothing() throws SQLException {
        String account = "outbox_" + partitionsAccount();
        String[] show = "partitions --period hour --look-ahead 500h".split(" ");
        String[] apply = "partitions --period hour --look-ahead 500h --apply --yes".split(" ");
        succeeds(partitionsAccount(), show);
        String plan = terminal().output();
        for (String right : List.of("INSERT", "UPDATE")) {
            administer("REVOKE " + right + " ON outbox_audit FROM " + account);
            try {
                assertThat(run(partitionsAccount(), apply)).as(right).isEqualTo(ExitCode.DATABASE);
                assertThat(terminal().errors()).contains("outbox_audit", "A privilege is missing");
                succeeds(partitionsAccount(), show);
                assertThat(terminal().output()).as("nothing was changed").isEqualTo(plan);
            } finally {
                administer("GRANT " + right + " ON outbox_audit TO " + account);
            }
            assertThat(tables().count("audit")).as(right).isZero();
        }
        succeeds(partitionsAccount(), apply);
        assertThat(tables().count("audit")).isOne();
    }

    @Test
    void a_read_only_server_is_examined_as_far_as_it_can_be() throws SQLException {
        try (Connection admin = open(administrator(), administratorPassword())) {
            execute(admin, rejectWrites());
            try {
                assertThat(run("operator", "check")).as(terminal().errors()).isEqualTo(ExitCode.FOUND);
            } finally {
                execute(admin, acceptWrites());
            }
        }
        assertThat(terminal().output())
                .contains("problem  read-only: ", "connect to the server that writes", "ok       isolation: ")
                .contains("ok       right to read: granted")
                .contains("ok       right to discard: not tested: the server or the session rejects writes")
                .contains("ok       schema: ", "ok       numbering: ")
                .contains("right to change partitions: not ")
                .doesNotContainPattern("right to [^c].*not granted")
                .doesNotContainPattern("\\w +row locks: lock");
        assertThat(terminal().errors()).isEmpty();
    }

    private String rejectWrites() {
        return dialect().isMySqlFamily()
                ? "SET GLOBAL read_only = 1"
                : "ALTER DATABASE outbox SET default_transaction_read_only = on";
    }

    private String acceptWrites() {
        return dialect().isMySqlFamily()
                ? "SET GLOBAL read_only = 0"
                : "ALTER DATABASE outbox RESET default_transaction_read_only";
    }

    @Test
    void an_operator_pauses_and_resumes_and_a_viewer_does_not() throws SQLException {
        succeeds("operator", "pause", "--handler", "mail", "--reason", "maintenance");
        assertThat(run("viewer", "resume", "--handler", "mail")).isEqualTo(ExitCode.DATABASE);
        assertThat(terminal().errors()).contains("A privilege is missing");
        succeeds("viewer", "status");
        assertThat(terminal().output()).contains("handler mail", "maintenance");
        succeeds("operator", "resume", "--handler", "mail");
        assertThat(tables().count("pause")).isZero();
    }

    @Test
    void an_operator_starts_and_cancels_a_bulk_operation_and_a_viewer_sees_it() throws SQLException {
        tables().dead("order.placed", "1", "mail", "down");
        succeeds("operator", "discard", "--all", "--yes", "--background");
        String id = operationId();
        succeeds("viewer", "operations", id);
        assertThat(run("viewer", "cancel", id)).isEqualTo(ExitCode.DATABASE);
        assertThat(terminal().errors()).contains("A privilege is missing");
        succeeds("operator", "cancel", id);
        succeeds("operator", "cleanup", "--older-than", "90d", "--include-audit", "--yes");
    }

    @Test
    void only_the_account_for_partitions_changes_them() throws SQLException {
        succeeds(partitionsAccount(), "partitions", "--period", "month");
        String plan = terminal().output();
        assertThat(run("operator", "partitions", "--period", "month", "--apply", "--yes"))
                .isEqualTo(ExitCode.DATABASE);
        assertThat(terminal().errors()).contains("A privilege is missing");
        succeeds(partitionsAccount(), "partitions", "--period", "month");
        assertThat(terminal().output()).as("nothing was changed").isEqualTo(plan);
        succeeds(partitionsAccount(), "partitions", "--period", "month", "--apply", "--yes");
        succeeds(partitionsAccount(), "partitions", "--period", "month");
        assertThat(terminal().output()).contains("There is nothing to change.");
    }
}
