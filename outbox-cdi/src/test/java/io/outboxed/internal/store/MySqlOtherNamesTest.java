package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealMySql;
import java.sql.DriverManager;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;

/** Only with -Pmariadb, to save time: nearly all statements are those of {@link MariaDbOtherNamesTest}. */
@Tag("mariadb")
class MySqlOtherNamesTest extends OtherNamesContract {
    @AutoClose
    private static final RealMySql SERVER = RealMySql.start();

    @Override
    ConnectionSource source() {
        return () -> DriverManager.getConnection(SERVER.url(), SERVER.user(), SERVER.password());
    }

    @Override
    Dialect dialect() {
        return Dialect.MYSQL;
    }
}
