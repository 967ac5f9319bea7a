package io.outboxed.cli;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.ServerOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
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
