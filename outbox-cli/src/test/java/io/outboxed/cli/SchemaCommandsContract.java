package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What {@code schema} and {@code check} find. */
interface SchemaCommandsContract extends CommandRunner {

    @Test
    default void the_schema_is_verified_and_the_statements_of_an_upgrade_fix_it() throws SQLException {
        assertThat(output("schema", "verify")).contains("The tables match the schema.");
        assertThat(output("schema", "upgrade")).isEqualToIgnoringNewLines("-- nothing to do\n");
        tables().run("ALTER TABLE outbox_dead DROP COLUMN error");

        assertThat(run("schema", "verify", "--json")).isEqualTo(ExitCode.FOUND);
        assertThat(terminal().output()).contains("column outbox_dead.error is missing");
        assertThat(run("check")).isEqualTo(ExitCode.FOUND);
        String upgrade = output("schema", "upgrade");
        assertThat(upgrade).startsWith(limit() + "-- column outbox_dead.error is missing");
        for (String statement : upgrade.split(";\\s*\n")) {
            tables().run(statement);
        }
        assertThat(output("schema", "verify")).contains("The tables match the schema.");
    }

    private String limit() {
        return switch (dialect()) {
            case MYSQL, MARIADB -> "SET SESSION lock_wait_timeout = 5;" + System.lineSeparator();
            case POSTGRESQL -> "SET lock_timeout = '5s';" + System.lineSeparator();
            case H2 -> "";
        };
    }

    @Test
    default void tables_that_no_statement_fixes_are_an_error_of_the_upgrade() throws SQLException {
        tables().run("UPDATE outbox_meta SET setting = 2 WHERE name = 'schema'");
        try {
            assertThat(run("schema", "verify")).isEqualTo(ExitCode.FOUND);
            assertThat(terminal().output())
                    .contains("layout 2", "1 difference.")
                    .doesNotContain("schema upgrade");
            newTerminal();
            assertThat(run("schema", "upgrade")).isEqualTo(ExitCode.FOUND);
            assertThat(terminal().output()).isEmpty();
            assertThat(terminal().errors()).contains("no statement fixes this", "layout 2", "deploy that one");
        } finally {
            tables().run("UPDATE outbox_meta SET setting = 1 WHERE name = 'schema'");
        }
    }

    @Test
    default void the_printed_schema_is_that_of_the_database() {
        assertThat(output("schema", "print", "--database", dialect().name().toLowerCase(Locale.ROOT)))
                .contains("CREATE TABLE IF NOT EXISTS outbox_message");
        assertThat(output("schema", "print", "--database", "postgresql", "--table-prefix", "shop_"))
                .contains("CREATE TABLE IF NOT EXISTS shop_message")
                .doesNotContain("outbox_message");
    }

    @Test
    default void a_healthy_database_passes_the_check() {
        assertThat(output("check"))
                .contains("ok       schema: ", "ok       numbering: ", "ok       row locks: ", "ok       clock: ")
                .doesNotContain("problem ");
        assertThat(json("check", "--json")).contains("\"subject\":\"right to replay\",\"finding\":\"granted\"");
    }
}
