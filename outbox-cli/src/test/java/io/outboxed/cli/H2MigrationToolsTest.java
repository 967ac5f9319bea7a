package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import java.sql.DriverManager;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class H2MigrationToolsTest extends MigrationToolsContract {

    @Override
    String emptyDatabase() {
        return "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    }

    @Override
    String user() {
        return "sa";
    }

    @Override
    String password() {
        return "";
    }

    @Override
    Dialect dialect() {
        return Dialect.H2;
    }

    @Override
    ConnectionSource source(String url) {
        return () -> DriverManager.getConnection(url, user(), password());
    }

    @Test
    void wrong_arguments_are_refused() {
        for (String[] wrong : new String[][] {
            {"schema", "upgrade", "--from", "0"},
            {"schema", "upgrade", "--from", "1", "--database", "mysql"},
            {"schema", "upgrade", "--from", "-1", "--database", "mysql"},
            {"schema", "upgrade", "--from", "first", "--database", "mysql"},
            {"schema", "upgrade", "--for", "flyway"},
            {"schema", "print", "--database", "mysql", "--for", "ant"}
        }) {
            ScriptedTerminal terminal = new ScriptedTerminal();
            assertThat(Main.run(terminal, wrong)).isEqualTo(ExitCode.USAGE);
            assertThat(terminal.errors()).startsWith("outbox: ").contains("Nothing was changed.");
        }
    }

    /** They are steps for existing tables, then the schema file. */
    @Test
    void an_upgrade_ends_with_the_schema_file() {
        for (Dialect each : Dialect.values()) {
            ScriptedTerminal steps = new ScriptedTerminal();
            Main.run(steps, "schema", "upgrade", "--from", "0", "--database", each.name(), "--table-prefix", "shop_");
            ScriptedTerminal file = new ScriptedTerminal();
            Main.run(file, "schema", "print", "--database", each.name(), "--table-prefix", "shop_");

            assertThat(steps.output())
                    .startsWith("-- Outboxed: changes the tables of layout 0")
                    .endsWith(file.output())
                    .doesNotContain("outbox_");
        }
    }
}
