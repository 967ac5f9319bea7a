package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Who paused or changed something, and why. */
interface AuditedCommandsContract extends CommandRunner {

    @Test
    default void pauses_are_shown_by_the_status_until_they_are_resumed() throws SQLException {
        assertThat(output("pause", "--handler", "mail", "--by", "alice", "--reason", "mail server is down"))
                .contains("Paused: handler mail.");
        assertThat(run("pause", "--handler", "mail")).isEqualTo(ExitCode.FOUND);
        assertThat(output("status")).containsPattern("handler mail +\\S+ +alice +mail server is down");
        assertThat(json("status", "--json")).contains("\"pauses\":[{\"kind\":\"handler\",\"name\":\"mail\"");
        assertThat(json("resume", "--handler", "mail", "--json")).contains("{\"changed\":true}");
        assertThat(run("resume", "--handler", "mail")).isEqualTo(ExitCode.FOUND);
        assertThat(json("status", "--json")).contains("\"pauses\":[]");
        assertThat(tables().texts("SELECT action FROM outbox_audit ORDER BY changed_at"))
                .containsExactly("pause", "resume");
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

        output("replay", "--all", "--limit", "1", "--yes", "--accept-order", "--by", "alice", "--reason", "repaired");
        output("discard", "--all", "--yes", "--by", "alice");
        output("drop-deliveries", "--handler", "old", "--retire", "--yes", "--by", "alice");
        assertThat(tables().texts("SELECT CONCAT(changed_by, ' ', changed_via, ' ', action) FROM outbox_audit"))
                .containsExactlyInAnyOrder(
                        "alice cli replay", "alice cli discard", "alice cli retire", "alice cli drop-deliveries");
    }
}
