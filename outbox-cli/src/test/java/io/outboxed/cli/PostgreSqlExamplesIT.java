package io.outboxed.cli;

import io.outboxed.internal.database.Dialect;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;

class PostgreSqlExamplesIT extends CommandLineExamplesContract {
    @RegisterExtension
    static final DatabaseServer SERVER = DatabaseServer.durable(Dialect.POSTGRESQL);

    @Override
    DatabaseServer database() {
        return SERVER;
    }

    @Override
    Map<String, String> differences() {
        return Map.of();
    }
}
