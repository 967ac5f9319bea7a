package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealMariaDb;
import java.sql.DriverManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Without -Pmariadb nothing else tries the store on MariaDB: with what waits for locks. */
class MariaDbOtherNamesTest extends OtherNamesContract
        implements LockedDeadLetterContract, InboxContract, AggregateLockContract {
    private static RealMariaDb server;

    @BeforeAll
    static void startServer() {
        server = RealMariaDb.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Override
    ConnectionSource source() {
        return () -> DriverManager.getConnection(server.url(), server.user(), server.password());
    }

    @Override
    Dialect dialect() {
        return Dialect.MARIADB;
    }

    @Override
    public void doom(JdbcDelivery call) throws Exception {
        Deadlock.lose(call, jdbc());
    }
}
