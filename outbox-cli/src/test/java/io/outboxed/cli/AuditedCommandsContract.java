package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Who paused or changed something, and why. */
interface AuditedCommandsContract extends CommandRunner {

    @Test
    default void pauses_are_shown_by_the_status_until_they_are_resumed() {
        assertThat(output("pause", "--handler", "mail", "--by", "alice", "--reason", "mail server is down"))
                .contains("Paused: handler mail.");
        assertThat(output("status")).containsPattern("handler mail +\\S+ +alice( \\(\\S+\\))? +mail server is down");
        assertThat(output("resume", "--handler", "mail")).contains("Resumed: handler mail.");
        assertThat(output("status")).doesNotContain("PAUSED");
    }

    @Test
    default void a_retry_says_whether_there_was_anything_to_retry() throws SQLException {
        String id = tables().waiting("order.placed", "1", "mail").toString();

        assertThat(output("retry", id, "--handler", "mail")).contains("Due now: " + id + " for handler mail.");
        assertThat(run("retry", id, "--handler", "ship")).isEqualTo(ExitCode.FOUND);
        assertThat(terminal().output()).contains("to handler ship waits for an attempt. Nothing was changed.");
    }

    @Test
    default void a_pause_of_a_handler_that_nobody_has_registered_says_so() throws SQLException {
        tables().handler("order.placed", "mail", false);
        output("pause", "--handler", "mail");
        assertThat(terminal().errors()).isEmpty();
        output("pause", "--handler", "mial");
        assertThat(terminal().errors()).contains("no deployment has registered a handler \"mial\"");
    }

    @Test
    default void each_change_leaves_its_audit() throws SQLException {
        tables().dead("order.placed", "1", "mail", "down");
        tables().dead("order.placed", "2", "mail", "down");
        tables().handler("order.placed", "old", false);
        tables().waiting("order.placed", "3", "old");

        output(
                "replay",
                "--all",
                "--limit",
                "1",
                "--yes",
                "--allow-reordering",
                "--by",
                "alice",
                "--reason",
                "repaired");
        output("discard", "--all", "--yes", "--by", "alice");
        output("drop-deliveries", "--handler", "old", "--retire", "--yes", "--by", "alice");
        String alice = CommandRunner.audited("alice");
        assertThat(tables().texts("SELECT CONCAT(changed_by, ' ', changed_via, ' ', action) FROM outbox_audit"))
                .containsExactlyInAnyOrder(
                        alice + " cli replay",
                        alice + " cli discard",
                        alice + " cli retire",
                        alice + " cli drop-deliveries");
    }

    @Test
    default void a_name_that_is_given_does_not_hide_the_login_name() throws SQLException {
        String login = System.getProperty("user.name");

        output("pause", "--handler", "mail", "--by", "bob");
        output("pause", "--handler", "ship", "--by", login);
        output("resume", "--handler", "ship");

        assertThat(tables().texts("SELECT CONCAT(changed_by, ' ', action) FROM outbox_audit"))
                .containsExactlyInAnyOrder("bob (" + login + ") pause", login + " pause", login + " resume");
        assertThat(run("pause", "--handler", "old", "--by", "b".repeat(128))).isEqualTo(ExitCode.USAGE);
        assertThat(terminal().errors()).contains("--by or --reason: who has " + (131 + login.length()));
    }

    @Test
    default void the_audit_says_for_which_types_a_handler_was_retired() throws SQLException {
        tables().handler("order.placed", "old", false);
        tables().handler("order.shipped", "old", false);
        tables().handler("order.cancelled", "old", true);

        output("drop-deliveries", "--handler", "old", "--retire", "--yes");

        assertThat(tables().texts("SELECT CONCAT(action, ': ', target) FROM outbox_audit"))
                .containsExactlyInAnyOrder(
                        "retire: handler old for type order.placed", "retire: handler old for type order.shipped");
    }

    @Test
    default void the_audit_names_the_registrations_that_a_cleanup_has_removed() throws SQLException {
        tables().handler("order.placed", "old", true);
        tables().handler("order.shipped", "older", true);
        tables().handler("order.shipped", "mail", false);

        output("cleanup", "--older-than", "90d", "--include-retired", "--yes");

        assertThat(tables().texts("SELECT target FROM outbox_audit"))
                .singleElement(STRING)
                .startsWith("0 rows of history, 2 registrations of handlers: ")
                .contains("old for type order.placed", "older for type order.shipped")
                .doesNotContain("mail");
    }
}
