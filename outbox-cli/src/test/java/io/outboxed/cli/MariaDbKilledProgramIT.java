package io.outboxed.cli;

import io.outboxed.internal.database.Dialect;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Only with -Pmariadb, to save time. */
@Tag("mariadb")
class MariaDbKilledProgramIT extends KilledProgramContract {
    @RegisterExtension
    static final DatabaseServer SERVER = DatabaseServer.of(Dialect.MARIADB);

    @Override
    DatabaseServer database() {
        return SERVER;
    }
}
