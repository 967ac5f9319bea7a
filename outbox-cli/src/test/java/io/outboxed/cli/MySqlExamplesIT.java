package io.outboxed.cli;

import io.outboxed.internal.database.Dialect;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.extension.RegisterExtension;

class MySqlExamplesIT extends CommandLineExamplesContract {
    @RegisterExtension
    static final DatabaseServer SERVER = DatabaseServer.durable(Dialect.MYSQL);

    @Override
    DatabaseServer database() {
        return SERVER;
    }

    @Override
    Map<String, String> differences() throws IOException {
        return examples(1);
    }
}
