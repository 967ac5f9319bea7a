package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.ServerOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MySqlOperatorRightsTest extends MySqlSettingsContract {
    @TempDir
    static Path directory;

    private RealMySql server;

    @BeforeAll
    void startServer() throws Exception {
        Path administrator = Files.writeString(
                directory.resolve("administrator.sql"),
                "CREATE USER administrator@'%' IDENTIFIED BY 'x';\n"
                        + "GRANT ALL ON *.* TO administrator@'%' WITH GRANT OPTION;\n");
        server = RealMySql.start(
                ServerOptions.temporary().with("--init-file=" + administrator).with("--log-bin=binlog"));
        createAccounts();
    }

    @AfterAll
    void stopServer() {
        server.close();
    }

    @Test
    void mysql_8_0_12_also_needs_the_right_to_lock_tables() throws SQLException {
        tables().dead("order.placed", "1", "mail", "down");
        administer("REVOKE LOCK TABLES ON outbox.* FROM outbox_operator@'%'");
        try {
            assertThat(run("operator", "discard", "--all", "--yes")).isEqualTo(ExitCode.DATABASE);
            assertThat(terminal().errors()).contains("A privilege is missing");
            assertThat(List.of(tables().count("dead"), tables().count("audit"))).containsExactly(1, 0);
        } finally {
            administer("GRANT LOCK TABLES ON outbox.* TO outbox_operator@'%'");
        }
        succeeds("operator", "discard", "--all", "--yes");
        assertThat(List.of(tables().count("dead"), tables().count("audit"))).containsExactly(0, 1);
    }

    @Test
    void prepared_transactions_are_examined_only_by_an_account_that_may_see_them() throws SQLException {
        succeeds("viewer", "check");
        assertThat(terminal().output())
                .contains("ok       XA: not examined, because the account lacks XA_RECOVER_ADMIN\n");
        administer("GRANT XA_RECOVER_ADMIN ON *.* TO outbox_viewer@'%'");
        try {
            succeeds("viewer", "check");
            assertThat(terminal().output()).contains("ok       XA: no transaction is prepared\n");
        } finally {
            administer("REVOKE XA_RECOVER_ADMIN ON *.* FROM outbox_viewer@'%'");
        }
    }

    @Override
    RealDatabase server() {
        return server;
    }

    @Override
    Dialect dialect() {
        return Dialect.MYSQL;
    }

    @Override
    String administrator() {
        return "administrator";
    }

    @Override
    String administratorPassword() {
        return "x";
    }

    @Override
    String partitionsAccount() {
        return "partitions";
    }
}
