package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealMariaDb;
import java.sql.DriverManager;
import org.junit.jupiter.api.AutoClose;

/** Without -Pmariadb nothing else tries the store on MariaDB: with what waits for locks. */
class MariaDbOtherNamesTest extends OtherNamesContract
        implements LockedDeadLetterContract, InboxContract, AggregateLockContract {
    @AutoClose
    private static final RealMariaDb SERVER = RealMariaDb.start();

    @Override
    ConnectionSource source() {
        return () -> DriverManager.getConnection(SERVER.url(), SERVER.user(), SERVER.password());
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
