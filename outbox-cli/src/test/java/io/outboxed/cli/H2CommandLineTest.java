package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import java.nio.file.Path;
import java.sql.DriverManager;
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
    void h2_has_no_partitions() {
        assertThat(run("partitions", "--period", "day", "--apply", "--yes")).isEqualTo(ExitCode.DATABASE);
        assertThat(terminal().errors()).contains("OUTBOX-0311", "H2 has no partitions", "Nothing was changed");
        assertThat(run("partitions", "--period", "day", "--retention", "1m"))
                .as("accepted as by outbox.history.retention, and then refused by H2")
                .isEqualTo(ExitCode.DATABASE);
        assertThat(output("check")).contains("ok       partitions: this database has no partitions");
    }
}
