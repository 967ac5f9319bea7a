package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H2CommandLineTest extends CommandLineContract {
    private static final String URL = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    @Override
    String url() {
        return URL;
    }

    @Override
    String user() {
        return null;
    }

    @Override
    String password() {
        return null;
    }

    @Override
    public Dialect dialect() {
        return Dialect.H2;
    }

    @Override
    public ConnectionSource source() {
        return () -> DriverManager.getConnection(URL);
    }

    @Test
    void a_database_that_does_not_exist_is_not_created(@TempDir Path directory) {
        ScriptedTerminal terminal = new ScriptedTerminal();
        String url = "jdbc:h2:" + directory.resolve("shpo");

        for (String command : List.of("status", "check", "schema verify")) {
            String[] arguments = (command + " --url " + url + " --user sa").split(" ");
            assertThat(Main.run(terminal, arguments)).as(terminal.errors()).isEqualTo(ExitCode.DATABASE);
        }

        assertThat(terminal.errors()).contains("shpo").contains("not found");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void registrations_that_were_not_examined_are_not_said_to_be_none() throws SQLException {
        tables().handler("order.placed", "old", true);
        tables().run("INSERT INTO outbox_delivery (message_id, handler, handler_group, seq, lane, shard, state)"
                + " SELECT RANDOM_UUID(), 'mail', 'mail', x, 7, 7, 0 FROM SYSTEM_RANGE(1, 100001)");
        String unexamined = "Registrations were not examined: more than 100,000 deliveries wait.";
        String command = "cleanup --older-than 90d --include-retired";

        assertThat(output(command.split(" ")))
                .isEqualToIgnoringNewLines(unexamined + "There are no old rows. Nothing was changed.");
        assertThat(json((command + " --json").split(" ")))
                .contains("{\"found\":{\"history\":0,\"handler\":null},\"atLeast\":[]}");
        assertThat(output((command + " --dry-run").split(" ")))
                .isEqualToIgnoringNewLines(
                        "Would be deleted: 0 rows of history." + unexamined + "Nothing was changed.");
        assertThat(output((command + " --yes").split(" ")))
                .isEqualToIgnoringNewLines("To be deleted: 0 rows of history. This can't be undone." + unexamined
                        + "Deleted: 0 rows of history." + unexamined);
        assertThat(json((command + " --yes --json").split(" ")))
                .contains("{\"deleted\":{\"history\":0,\"handler\":null},");
        tables().clear();
        assertThat(output((command + " --dry-run").split(" "))).contains("0 registrations of handlers");
    }

    @Test
    void h2_has_no_partitions() {
        assertThat(run("partitions", "--period", "day", "--apply", "--yes")).isEqualTo(ExitCode.DATABASE);
        assertThat(terminal().errors()).contains("OUTBOX-0311", "H2 has no partitions", "Nothing was changed");
        assertThat(run("partitions", "--period", "day", "--retention", "1m"))
                .as("accepted as by outbox.history.retention, and then refused by H2")
                .isEqualTo(ExitCode.DATABASE);
        assertThat(output("check")).contains("ok       partitions: this database has no partitions");
    }
}
