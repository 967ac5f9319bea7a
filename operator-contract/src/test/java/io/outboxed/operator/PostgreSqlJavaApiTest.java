package io.outboxed.operator;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealPostgres;
import org.junit.jupiter.api.AutoClose;

class PostgreSqlJavaApiTest extends JavaApiContract {
    @AutoClose
    private static final RealPostgres SERVER = RealPostgres.start();

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
        return Dialect.POSTGRESQL;
    }
}
