package io.outboxed.operator;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealMariaDb;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;

/** Only with -Pmariadb, to save time. */
@Tag("mariadb")
class MariaDbJavaApiTest extends JavaApiContract {
    @AutoClose
    private static final RealMariaDb SERVER = RealMariaDb.start();

    @Override
    String url() {
        return SERVER.url();
    }

    @Override
    String user() {
        return SERVER.user();
    }

    @Override
    String password() {
        return SERVER.password();
    }

    @Override
    protected Dialect dialect() {
        return Dialect.MARIADB;
    }
}
