package io.outboxed.servers.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.servers.process.ServerFailedException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What each launcher of a database keeps. */
abstract class RealDatabaseContract {
    @TempDir
    Path directory;

    abstract RealDatabase start(ServerOptions options);

    @Test
    void what_was_committed_survives_kill_restart_and_close() throws SQLException {
        try (RealDatabase database = start(ServerOptions.in(directory))) {
            execute(database, "CREATE TABLE kept(n INT)");
            execute(database, "INSERT INTO kept VALUES (1)");
            database.kill();
            database.restart();
            execute(database, "INSERT INTO kept VALUES (2)");
        }
        try (RealDatabase again = start(ServerOptions.in(directory))) {
            assertThat(count(again, "kept")).isEqualTo(2);
        }
    }

    @Test
    void a_killed_server_refuses_connections_until_restarted_on_the_same_port() throws SQLException {
        try (RealDatabase database = start(ServerOptions.temporary())) {
            String url = database.url();
            database.kill();
            assertThatThrownBy(() -> execute(database, "SELECT 1")).isInstanceOf(SQLException.class);
            database.restart();
            assertThat(database.url()).isEqualTo(url);
            execute(database, "SELECT 1");
        }
    }

    @Test
    void a_server_whose_jvm_was_killed_is_stopped_by_the_next_start_on_its_directory() throws Exception {
        long orphan = OrphanMaker.leaveBehind(getClass(), directory);
        assertThat(isAlive(orphan)).isTrue();
        try (RealDatabase next = start(ServerOptions.in(directory))) {
            assertThat(isAlive(orphan)).isFalse();
            execute(next, "CREATE TABLE mine(n INT)");
        }
    }

    @Test
    void a_directory_in_use_is_refused() throws SQLException {
        try (RealDatabase first = start(ServerOptions.in(directory))) {
            assertThatThrownBy(() -> start(ServerOptions.in(directory)))
                    .isInstanceOf(ServerFailedException.class)
                    .hasMessageContaining("is in use");
            execute(first, "SELECT 1");
        }
    }

    @Test
    void a_stale_process_id_that_now_belongs_to_another_process_does_not_prevent_the_start() throws Exception {
        try (RealDatabase database = start(ServerOptions.in(directory))) {
            database.kill();
        }
        for (String name : List.of("mysqld.pid", "mariadbd.pid", "postmaster.pid")) {
            Path pidFile = directory.resolve("data").resolve(name);
            if (Files.exists(pidFile)) {
                List<String> lines = new ArrayList<>(Files.readAllLines(pidFile));
                lines.set(0, Long.toString(ProcessHandle.current().pid()));
                Files.write(pidFile, lines);
            }
        }
        try (RealDatabase database = start(ServerOptions.in(directory))) {
            execute(database, "SELECT 1");
        }
    }

    @Test
    void a_port_in_use_is_reported_with_the_end_of_the_log() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            ServerOptions options = ServerOptions.temporary().onPort(taken.getLocalPort());
            assertThatThrownBy(() -> start(options))
                    .isInstanceOf(ServerFailedException.class)
                    .hasMessageContaining("ended with exit code 1")
                    .hasMessageContaining("already in use");
        }
    }

    @Test
    void close_leaves_neither_process_nor_temporary_data() {
        RealDatabase database = start(ServerOptions.temporary());
        ProcessHandle process = ProcessHandle.of(database.pid()).orElseThrow();
        database.close();
        assertThat(process.isAlive()).isFalse();
        assertThat(database.log().getParent()).doesNotExist();
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    private static void execute(RealDatabase database, String sql) throws SQLException {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static int count(RealDatabase database, String table) throws SQLException {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
            result.next();
            return result.getInt(1);
        }
    }

    private static Connection connect(RealDatabase database) throws SQLException {
        return DriverManager.getConnection(database.url(), database.user(), database.password());
    }
}
