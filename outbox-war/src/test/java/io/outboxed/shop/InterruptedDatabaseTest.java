package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The relay interrupts a handler that exceeds its time, and H2 writes its file on the handler's thread. */
class InterruptedDatabaseTest {
    @TempDir
    Path directory;

    @Test
    void an_interrupt_of_a_thread_that_commits_does_not_close_the_database_of_the_shop() throws Exception {
        String url = url();
        try (Connection other = DriverManager.getConnection(url, "sa", "");
                Connection interrupted = DriverManager.getConnection(url, "sa", "")) {
            other.createStatement().execute("CREATE TABLE note (text VARCHAR(10000))");
            interrupted.setAutoCommit(false);
            insert(interrupted);
            Thread.currentThread().interrupt();
            try {
                interrupted.commit();
            } finally {
                Thread.interrupted();
            }

            insert(other);

            assertThat(notes(other)).isEqualTo(2);
        }
    }

    private String url() throws Exception {
        Properties settings = new Properties();
        try (InputStream file = getClass().getResourceAsStream("/META-INF/microprofile-config.properties")) {
            settings.load(file);
        }
        String url = settings.getProperty("outbox.datasource.url");
        assertThat(url).contains("./outbox-data/");
        return url.replace("./outbox-data", directory.toString());
    }

    private static void insert(Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO note VALUES (?)")) {
            insert.setString(1, "x".repeat(9_000));
            insert.executeUpdate();
        }
    }

    private static int notes(Connection connection) throws SQLException {
        try (ResultSet count = connection.createStatement().executeQuery("SELECT COUNT(*) FROM note")) {
            count.next();
            return count.getInt(1);
        }
    }
}
