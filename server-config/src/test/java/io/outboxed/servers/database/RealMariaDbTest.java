package io.outboxed.servers.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("mariadb")
class RealMariaDbTest extends RealDatabaseContract {

    @Override
    RealDatabase start(ServerOptions options) {
        return RealMariaDb.start(options);
    }

    @Test
    void other_users_of_the_machine_find_no_socket_and_root_can_log_in_only_there() throws SQLException {
        try (RealDatabase database = start(ServerOptions.temporary());
                Connection connection =
                        DriverManager.getConnection(database.url(), database.user(), database.password());
                Statement statement = connection.createStatement();
                ResultSet socket = statement.executeQuery("SELECT @@socket")) {
            assertThatThrownBy(() -> DriverManager.getConnection(database.url(), "root", ""))
                    .isInstanceOf(SQLException.class);
            socket.next();
            assertThat(socket.getString(1)).isEmpty();
        }
    }
}
