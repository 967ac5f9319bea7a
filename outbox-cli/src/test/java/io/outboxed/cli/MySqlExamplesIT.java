package io.outboxed.cli;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.ServerOptions;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class MySqlExamplesIT extends CommandLineExamplesContract {
    private static RealMySql server;

    @BeforeAll
    static void startServer() {
        server = RealMySql.start(ServerOptions.temporary().durably());
    }

    @AfterAll
    static void stopServer() {
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
    Map<String, String> differences() throws IOException {
        return examples(1);
    }
}
