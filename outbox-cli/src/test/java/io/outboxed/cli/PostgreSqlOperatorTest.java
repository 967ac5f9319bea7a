package io.outboxed.cli;

import io.outboxed.internal.database.Dialect;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgreSqlOperatorTest extends CommandLineOperatorContract {
    @RegisterExtension
    static final DatabaseServer SERVER = DatabaseServer.of(Dialect.POSTGRESQL);

    @Override
    String url() {
        return SERVER.running().url();
    }

    @Override
    String user() {
        return SERVER.running().user();
    }

    @Override
    String password() {
        return SERVER.running().password();
    }

    @Override
    protected Dialect dialect() {
        return Dialect.POSTGRESQL;
    }
}
