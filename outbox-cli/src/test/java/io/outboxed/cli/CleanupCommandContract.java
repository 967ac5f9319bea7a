package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Jdbc;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code cleanup} deletes. */
interface CleanupCommandContract extends CommandRunner {

    @Test
    default void a_cleanup_deletes_the_old_history_and_nothing_that_was_not_named() throws SQLException {
        tables().aged();
        Map<String, Integer> before = tables().counts();

        assertThat(json("cleanup", "--older-than", "90d", "--yes", "--json"))
                .contains("{\"deleted\":{\"history\":2},\"left\":{\"history\":0},\"atLeast\":[]}");
        assertThat(tables().count("history")).isOne();
        assertThat(tables().counts())
                .usingRecursiveComparison()
                .ignoringFields("history", "audit")
                .isEqualTo(before);
        assertThat(output("cleanup", "--older-than", "90d", "--yes", "--once")).contains("Deleted: 0 rows of history.");
    }

    @Test
    default void a_cleanup_includes_what_is_named_but_no_dead_letter_that_holds_up_its_aggregate() throws SQLException {
        tables().aged();

        assertThat(output(
                        "cleanup",
                        "--older-than",
                        "90d",
                        "--include-inbox",
                        "--include-dead",
                        "--include-retired",
                        "--batch-size",
                        "1",
                        "--yes"))
                .contains("2 rows of history", "2 rows of inbox", "2 rows of dead", "1 registration of handlers");
        assertThat(tables().count("history")).isOne();
        assertThat(tables().count("inbox")).isOne();
        assertThat(tables().texts("SELECT aggregate_id FROM outbox_dead")).containsExactly("3");
        assertThat(tables().texts("SELECT handler FROM outbox_handler"))
                .as("something waits for it")
                .containsExactly("mail");
    }

    @Test
    default void a_long_history_does_not_hold_up_the_dead_letters() throws SQLException {
        for (int i = 0; i < 20; i++) {
            tables().history(100);
        }
        tables().dead("order.placed", "1", "mail", "down");
        terminal().onPause(count -> count < 2);

        assertThat(run("cleanup", "--older-than", "90d", "--include-dead", "--batch-size", "1", "--yes"))
                .isEqualTo(ExitCode.INTERRUPTED);
        assertThat(tables().count("dead")).isZero();
        assertThat(tables().count("history")).isEqualTo(19);
    }

    @Test
    default void a_long_cleanup_says_after_each_hundred_batches_how_far_it_is() throws SQLException {
        for (int i = 0; i < 250; i++) {
            tables().history(100);
        }

        output("cleanup", "--older-than", "90d", "--batch-size", "1", "--yes");

        assertThat(terminal().errors().lines().filter(line -> line.startsWith("deleted ")))
                .containsExactly("deleted 100 rows of history", "deleted 200 rows of history");
    }

    @Test
    default void a_cleanup_that_is_not_confirmed_only_counts() throws SQLException {
        tables().aged();
        Map<String, Integer> before = tables().counts();

        assertThat(output("cleanup", "--older-than", "90d", "--include-dead", "--dry-run"))
                .contains("Would be deleted: 2 rows of history, 2 rows of dead.", "Nothing was changed.");
        assertThat(run("cleanup", "--older-than", "90d")).isEqualTo(ExitCode.UNCONFIRMED);
        newTerminal().answering("no");
        assertThat(run("cleanup", "--older-than", "90d")).isEqualTo(ExitCode.UNCONFIRMED);
        assertThat(tables().counts()).isEqualTo(before);
        newTerminal().answering("cleanup");
        assertThat(run("cleanup", "--older-than", "90d")).isZero();
        assertThat(tables().count("history")).isOne();
    }

    @Test
    default void a_cleanup_with_nothing_to_delete_needs_no_confirmation() throws SQLException {
        tables().handler("order.placed", "old", true);
        List<String> all = List.of("cleanup", "--older-than", "90d", "--include-dead", "--include-retired");

        assertThat(run(all.toArray(String[]::new)))
                .as("a registration can be removed")
                .isEqualTo(ExitCode.UNCONFIRMED);
        assertThat(run("cleanup", "--older-than", "90d", "--every", "1h"))
                .as("later there may be something to delete")
                .isEqualTo(ExitCode.UNCONFIRMED);
        assertThat(output("cleanup", "--older-than", "90d", "--include-dead"))
                .isEqualToIgnoringNewLines("There is nothing to delete. Nothing was changed.");
        assertThat(json("cleanup", "--older-than", "90d", "--json")).contains("{\"found\":{\"history\":0}");
    }

    @Test
    default void an_interrupted_cleanup_keeps_what_it_has_done_and_the_next_one_goes_on() throws SQLException {
        tables().aged();
        terminal().onPause(count -> false);

        assertThat(run("cleanup", "--older-than", "90d", "--batch-size", "1", "--yes"))
                .isEqualTo(ExitCode.INTERRUPTED);
        assertThat(terminal().output()).contains("Deleted: 1 row of history.");
        assertThat(tables().count("history")).isEqualTo(2);
        output("cleanup", "--older-than", "90d", "--batch-size", "1", "--yes");
        assertThat(tables().count("history")).isOne();
    }

    @Test
    default void a_repeated_cleanup_deletes_what_has_become_old_until_it_is_interrupted() {
        terminal().onPause(count -> {
            history(100);
            return count < 3;
        });

        assertThat(run("cleanup", "--older-than", "90d", "--every", "1h", "--yes", "--json"))
                .isZero();
        assertThat(terminal().output().lines())
                .containsExactly(
                        "{\"deleted\":{\"history\":0},\"left\":{\"history\":0},\"atLeast\":[]}",
                        "{\"deleted\":{\"history\":1},\"left\":{\"history\":0},\"atLeast\":[]}",
                        "{\"deleted\":{\"history\":1},\"left\":{\"history\":0},\"atLeast\":[]}");
    }

    @Test
    default void old_rows_in_use_are_left_and_the_exit_code_says_so() throws SQLException {
        tables().history(100);
        try (Connection other = source().open()) {
            other.setAutoCommit(false);
            assertThat(new Jdbc(other, dialect()).exists("SELECT id FROM outbox_history FOR UPDATE"))
                    .isTrue();
            assertThat(run("cleanup", "--older-than", "90d", "--yes")).isEqualTo(ExitCode.FOUND);
            assertThat(terminal().output())
                    .contains("Deleted: 0 rows of history.", "1 row is in use and was left: run the command again.");
            newTerminal();
            assertThat(run("cleanup", "--older-than", "90d", "--yes", "--json")).isEqualTo(ExitCode.FOUND);
            assertThat(terminal().output())
                    .contains("{\"deleted\":{\"history\":0},\"left\":{\"history\":1},\"atLeast\":[]}");
            other.rollback();
        }
        assertThat(output("cleanup", "--older-than", "90d", "--yes"))
                .contains("Deleted: 1 row of history.")
                .doesNotContain("in use");
    }

    @Test
    default void what_becomes_old_during_a_cleanup_is_not_in_use() throws SQLException {
        tables().history(100);
        tables().history(100);
        terminal().onPause(count -> {
            history(90);
            return true;
        });

        assertThat(run("cleanup", "--older-than", "90d", "--batch-size", "1", "--yes", "--json"))
                .isZero();
        assertThat(terminal().output()).contains("\"left\":{\"history\":0}");
        assertThat(tables().count("history")).isPositive();
    }

    @Test
    default void a_batch_of_a_cleanup_is_in_the_audit_before_the_next_one_begins() throws SQLException {
        tables().aged();
        List<String> meanwhile = new ArrayList<>();
        terminal().onPause(count -> {
            meanwhile.addAll(audited());
            return false;
        });

        assertThat(run("cleanup", "--older-than", "90d", "--batch-size", "1", "--yes"))
                .isEqualTo(ExitCode.INTERRUPTED);
        assertThat(meanwhile).containsExactly("cleanup: 1 row of history (1)");
        assertThat(audited()).isEqualTo(meanwhile);
    }

    @Test
    default void a_cleanup_has_one_row_in_the_audit_and_none_if_it_deletes_nothing() throws SQLException {
        tables().aged();

        for (int run = 0; run < 2; run++) {
            output(
                    "cleanup",
                    "--older-than",
                    "90d",
                    "--include-inbox",
                    "--include-dead",
                    "--include-retired",
                    "--batch-size",
                    "1",
                    "--yes");
        }
        assertThat(audited())
                .containsExactly("cleanup: 2 rows of history, 2 rows of inbox, 2 rows of dead, 1 registration of"
                        + " handlers: old for type order.placed (7)");
    }

    @Test
    default void a_cleanup_of_the_audit_keeps_its_own_row_however_long_it_takes() throws SQLException {
        tables().history(100);
        tables().history(91);
        terminal().onPause(count -> {
            changed("UPDATE outbox_audit SET changed_at = 1 WHERE changes = 1");
            return true;
        });

        assertThat(run("cleanup", "--older-than", "90d", "--include-audit", "--batch-size", "1", "--yes"))
                .as(terminal().errors())
                .isZero();
        assertThat(terminal().output()).contains("2 rows of history, 1 row of audit");
        assertThat(audited())
                .singleElement()
                .asString()
                .startsWith("cleanup: 2 rows of history")
                .contains("1 row of audit")
                .endsWith("(3)");
    }

    private List<String> audited() {
        try {
            return tables().texts("SELECT CONCAT(action, ': ', target, ' (', changes, ')') FROM outbox_audit");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void changed(String sql) {
        try {
            tables().run(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void history(int daysAgo) {
        try {
            tables().history(daysAgo);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
