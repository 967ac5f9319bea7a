package io.outboxed.servers.database;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class RealPostgresTest extends RealDatabaseContract {
    private static final String SUPERUSER = "postgres";

    @Override
    RealDatabase start(ServerOptions options) {
        return RealPostgres.start(options);
    }

    @Test
    void other_users_of_the_machine_do_not_know_the_password_of_the_superuser() throws SQLException {
        try (RealPostgres database = RealPostgres.start()) {
            assertThatThrownBy(() -> DriverManager.getConnection(database.url(), SUPERUSER, database.password()))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password authentication failed");
            DriverManager.getConnection(database.url(), SUPERUSER, database.administratorPassword())
                    .close();
        }
    }
}
