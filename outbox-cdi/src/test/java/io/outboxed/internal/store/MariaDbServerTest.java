package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.database.RealMariaDb;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** A server that starts deletes temporary tables in its directory, and other tests start servers at the same time. */
class MariaDbServerTest {

    @Test
    void each_server_has_a_directory_of_its_own_for_temporary_tables() throws SQLException {
        try (RealMariaDb server = RealMariaDb.start();
                Connection connection = DriverManager.getConnection(server.url(), server.user(), server.password());
                ResultSet row = connection.createStatement().executeQuery("SELECT @@tmpdir")) {
            assertThat(row.next()).isTrue();
            assertThat(Path.of(row.getString(1)))
                    .startsWith(server.log().getParent())
                    .isDirectory();
        }
    }
}
