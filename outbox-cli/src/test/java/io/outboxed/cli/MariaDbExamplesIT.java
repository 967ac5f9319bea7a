package io.outboxed.cli;

import io.outboxed.internal.database.DatabaseDescription;
import io.outboxed.internal.database.Dialect;
import java.io.IOException;
import java.sql.DriverManager;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Only with -Pmariadb, to save time. */
@Tag("mariadb")
class MariaDbExamplesIT extends CommandLineExamplesContract {
    @RegisterExtension
    static final DatabaseServer SERVER = DatabaseServer.durable(Dialect.MARIADB);

    @Override
    DatabaseServer database() {
        return SERVER;
    }

    @Override
    Map<String, String> differences() throws IOException {
        DatabaseDescription database = DatabaseDescription.of(
                () -> DriverManager.getConnection(server().url(), server().user(), server().password()));
        Map<String, String> ofMySql = examples(1);
        ofMySql.computeIfPresent(
                "outbox check",
                (check, text) -> text.replaceFirst("MySQL \\S+ at", database.product() + " at")
                        .replaceFirst("MySQL Connector.*", database.driver()));
        return ofMySql;
    }
}
