package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mysql.cj.jdbc.MysqlDataSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealMariaDb;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** MySQL's driver calls the product MySQL, and fails when Hibernate asks it about MariaDB 11. */
class MariaDbByMySqlsDriverRowTest extends RowContract {
    private static final String CONFIGURED = "outbox.datasource.dialect";

    private final RealMariaDb server = RealMariaDb.start();

    MariaDbByMySqlsDriverRowTest() {
        System.setProperty(CONFIGURED, "mariadb");
    }

    @Test
    void the_server_is_recognised_by_its_own_version() throws SQLException {
        try (Connection connection = source().getConnection()) {
            assertThat(connection.getMetaData().getDatabaseProductName()).isEqualTo("MySQL");
            assertThat(Dialect.from(connection.getMetaData())).isEqualTo(Dialect.MARIADB);
        }
    }

    @Test
    void without_a_configured_dialect_the_start_is_refused_with_what_to_do() throws SQLException {
        System.clearProperty(CONFIGURED);
        try {
            if (isAskedForKeywords()) {
                assertThatThrownBy(this::newUnit)
                        .hasStackTraceContaining("OUTBOX-0313")
                        .hasStackTraceContaining("use MariaDB's driver");
            } else {
                newUnit().close();
            }
        } finally {
            System.setProperty(CONFIGURED, "mariadb");
        }
    }

    /** Before MariaDB 11 the driver takes the server for MySQL 5.5, whose keywords it knows. */
    private boolean isAskedForKeywords() throws SQLException {
        try (Connection connection = source().getConnection()) {
            return connection.getMetaData().getDatabaseMajorVersion() > 5;
        }
    }

    @Override
    DataSource source() {
        MysqlDataSource source = new MysqlDataSource();
        source.setUrl(server.urlForMySqlsDriver());
        source.setUser(server.user());
        source.setPassword(server.password());
        return source;
    }

    @Override
    public Dialect dialect() {
        return Dialect.MARIADB;
    }

    @AfterAll
    void stop() {
        System.clearProperty(CONFIGURED);
        server.close();
    }
}
