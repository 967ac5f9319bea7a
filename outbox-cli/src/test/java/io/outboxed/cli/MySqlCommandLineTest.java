package io.outboxed.cli;

import io.outboxed.internal.database.Dialect;
import org.junit.jupiter.api.extension.RegisterExtension;

class MySqlCommandLineTest extends ServerCommandLineContract {
    @RegisterExtension
    static final DatabaseServer SERVER = DatabaseServer.durable(Dialect.MYSQL);

    @Override
    DatabaseServer database() {
        return SERVER;
    }
}
