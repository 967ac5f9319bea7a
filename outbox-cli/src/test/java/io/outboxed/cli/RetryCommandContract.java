package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.operator.OperatorJson;
import io.outboxed.operator.Tables;
import jakarta.json.JsonObject;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What {@code retry} leaves to the nodes. */
interface RetryCommandContract extends CommandRunner {

    @Test
    default void a_retry_of_many_shows_what_it_selects_and_asks() throws SQLException {
        UUID first = tables().waitingLong("order.placed", "1", "mail");
        for (int i = 2; i <= 7; i++) {
            tables().waitingLong("order.placed", "" + i, "mail");
        }
        tables().waiting("order.placed", "8", "mail");

        terminal().answering("replay");
        assertThat(run("retry", "--background", "--handler", "mail")).isEqualTo(ExitCode.UNCONFIRMED);
        assertThat(terminal().output())
                .contains("7 deliveries match.", first.toString(), "unknown to the node", "… and newer ones")
                .contains("Each becomes due now, and its attempts so far still count.", "Nothing was changed.");
        assertThat(tables().count("operation")).isZero();
        newTerminal().answering("retry");
        assertThat(run("retry", "--background", "--handler", "mail", "--reason", "mail is back"))
                .as(terminal().errors())
                .isZero();
        assertThat(terminal().output())
                .contains("The nodes retry 7 deliveries. See how far they are with: outbox operations ");
        assertThat(output("operations"))
                .containsPattern("retry +running +0 +7 +.* mail is back +waiting deliveries until ");
    }

    @Test
    default void the_preview_of_a_retry_of_many_has_for_a_program_all_that_a_person_sees() throws SQLException {
        UUID id = tables().waitingLong("order.placed", "1", "mail");

        assertThat(run("retry", "--background", "--all", "--json")).isEqualTo(ExitCode.UNCONFIRMED);
        assertThat(terminal().errors()).contains("pass --yes to retry them");
        JsonObject preview = OperatorJson.object(terminal().output());
        assertThat(preview.getInt("matched")).isOne();
        assertThat(preview.getJsonArray("atLeast")).isEmpty();
        assertThat(OperatorJson.id(preview.getJsonArray("oldest").getJsonObject(0), "messageId"))
                .isEqualTo(id);
        assertThat(json("retry", "--background", "--all", "--yes", "--json"))
                .contains("\"kind\":\"retry\"", "\"matched\":1", "\"perSecond\":100");
    }

    @Test
    default void nothing_is_started_if_all_that_matches_is_due() throws SQLException {
        tables().waiting("order.placed", "1", "mail");

        assertThat(output("retry", "--background", "--all", "--yes"))
                .contains("No matching delivery waits for a later attempt.");
        assertThat(tables().count("operation")).isZero();
    }

    @Test
    default void what_waits_is_listed_and_retried_by_the_time_at_which_it_was_stored() throws SQLException {
        tables().waitingLong("order.placed", "1", "mail");

        assertThat(json("list", "--state", "waiting", "--since", "1h", "--json"))
                .contains("\"handler\":\"mail\"");
        assertThat(json("list", "--state", "waiting", "--until", "1h", "--json"))
                .contains("\"found\":[]");
        assertThat(json("retry", "--background", "--all", "--until", "1h", "--yes", "--json"))
                .contains("\"matched\":0");
        assertThat(json("retry", "--background", "--since", "1h", "--yes", "--json"))
                .contains("\"matched\":1");
    }

    @Test
    default void a_retry_with_wrong_arguments_changes_nothing() throws SQLException {
        String id = tables().waitingLong("order.placed", "1", "mail").toString();
        Map<String, Integer> before = tables().counts();

        String one = id + " --handler mail";
        for (String arguments : List.of(
                "",
                id,
                "--handler mail",
                "--handler mail --yes",
                "--all --yes",
                one + " --yes",
                one + " --all",
                one + " --rate 5",
                one + " --type order.placed",
                one + " --since 1h",
                one + " --background --yes",
                "--background --yes",
                "--background --until 1h --yes",
                "--background --all --handler mail --yes",
                "--background --handler mail --rate 0 --yes",
                "--background --handler mail --rate 1001 --yes",
                "--background --handler= --yes",
                "--background --handler " + "x".repeat(256) + " --yes",
                "--background --handler mail --limit 1 --yes",
                "--background --since 1h --until 2h --yes",
                "--background --since 2100-01-01T00:00:00Z --yes",
                "--background --handler mail --blocking --yes")) {
            newTerminal();
            assertThat(run(("retry " + arguments).split(" "))).as(arguments).isEqualTo(ExitCode.USAGE);
            assertThat(terminal().errors())
                    .as(arguments)
                    .startsWith("outbox: ")
                    .contains("Nothing was changed.")
                    .doesNotContain("Exception");
            assertThat(terminal().output()).isEmpty();
        }
        assertThat(tables().counts()).isEqualTo(before);
        assertThat(tables().texts("SELECT due_at FROM outbox_delivery")).containsExactly("" + Tables.FAR_AWAY);
    }
}
