package io.outboxed.operator;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealMySql;
import org.junit.jupiter.api.AutoClose;

class MySqlJavaApiTest extends JavaApiContract {
    @AutoClose
    private static final RealMySql SERVER = RealMySql.start();

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
        return Dialect.MYSQL;
    }
}
