package io.outboxed.shop;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.operator.Operator;
import io.outboxed.operator.OperatorContract;
import java.sql.DriverManager;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** What the admin API does as the Java API and the command line do, on a server that relays nothing meanwhile. */
class OperatorIT extends OperatorContract {
    private static TestDatabase database;
    private static ShopServer server;
    private static AdminClient client;

    @BeforeAll
    static void startServer() throws Exception {
        database = TestDatabase.shared();
        server = ShopServer.start("operator", database, "-Doutbox.relay.enabled=false", "-Doutbox.admin.enabled=true")
                .ready();
        client = server.admin();
    }

    @AfterAll
    static void stopServer() throws Exception {
        if (server != null) {
            server.close();
        }
        if (database != null) {
            database.close();
        }
    }

    @Override
    protected ConnectionSource source() {
        return () -> DriverManager.getConnection(database.url(), database.user(), database.password());
    }

    @Override
    protected Dialect dialect() {
        return Dialect.valueOf(System.getProperty("it.database").toUpperCase(Locale.ROOT));
    }

    @Override
    public Operator operator() {
        return new RestOperator(client, "demo");
    }
}
