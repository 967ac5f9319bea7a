package io.outboxed.cli;

import io.outboxed.internal.database.Dialect;
import org.junit.jupiter.api.extension.RegisterExtension;

class MySqlKilledProgramIT extends KilledProgramContract {
    @RegisterExtension
    static final DatabaseServer SERVER = DatabaseServer.of(Dialect.MYSQL);

    @Override
    DatabaseServer database() {
        return SERVER;
    }
}
