package io.outboxed.operator;

import io.outboxed.internal.database.Dialect;
import java.util.UUID;

class H2JavaApiTest extends JavaApiContract {
    private static final String URL = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

    @Override
    String url() {
        return URL;
    }

    @Override
    String user() {
        return "sa";
    }

    @Override
    String password() {
        return "";
    }

    @Override
    protected Dialect dialect() {
        return Dialect.H2;
    }
}
