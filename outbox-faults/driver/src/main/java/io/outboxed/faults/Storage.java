package io.outboxed.faults;

import io.outboxed.faults.history.Facts;
import io.outboxed.faults.history.Outages;
import io.outboxed.faults.wire.Wire;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMariaDb;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.RealPostgres;
import io.outboxed.servers.database.ServerOptions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** The shared database, with the application's tables. */
final class Storage implements AutoCloseable {
    private static final int ACCOUNTS = 40;
    private static final long ANSWER_WITHIN_MILLIS = 30_000;
    private static final int FILLERS = 64;
    private static final byte[] FILLER = filler();

    /** Enough for the full pools of all nodes, and their relays. */
    private static final int CONNECTIONS = 400;

    private final RealDatabase database;
    private final boolean mySql;
    private final Outages outages;
    private final Optional<Disk> disk = Disk.mounted();

    Storage(String product, Outages outages) {
        this.mySql = !product.equals("postgresql");
        this.outages = outages;
        this.database = switch (product) {
            case "mysql" -> RealMySql.start(options().with("--max-connections=" + CONNECTIONS));
            case "postgresql" ->
                RealPostgres.start(options()
                        .with("-c")
                        .with("max_connections=" + CONNECTIONS)
                        .with("-c")
                        .with("max_wal_size=64MB"));
            case "mariadb" -> RealMariaDb.start(options().with("--max-connections=" + CONNECTIONS));
            default ->
                throw new IllegalArgumentException(
                        "faults.database is '" + product + "': choose mysql, mariadb or postgresql");
        };
        createTables();
    }

    int port() {
        return database.port();
    }

    /** The settings of a node, whose connections go through its proxy. */
    List<String> settings(Wire wire) {
        return List.of(
                "outbox.datasource.url=" + database.url().replace(":" + port() + "/", ":" + wire.port() + "/"),
                "outbox.datasource.user=" + database.user(),
                "outbox.datasource.password=" + database.password());
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(database.url(), database.user(), database.password());
    }

    /** Sends SIGKILL, and restarts the database on the same data after this time. */
    synchronized void killFor(long millis) {
        Outages.Outage outage = outages.begin(Outages.DATABASE, "killed");
        database.kill();
        Pause.millis(millis);
        database.restart();
        outage.end();
    }

    boolean hasDisk() {
        return disk.isPresent();
    }

    /**
     * Leaves no room on the database's disk for this time; the database may end of it.
     *
     * @return how the database has rejected rows for lack of room; null if it has not
     */
    synchronized String fillFor(long millis) {
        Outages.Outage outage = outages.begin(Outages.DATABASE, "disk full");
        long end = System.nanoTime() + millis * 1_000_000;
        disk.orElseThrow().fill();
        String refusal = refusal();
        Pause.millis(Math.max(0, (end - System.nanoTime()) / 1_000_000));
        disk.orElseThrow().clear();
        boolean survived = answersSoon();
        if (!survived) {
            database.kill();
            database.restart();
        }
        outage.end();
        Console.progress("          the disk has room again; the database had %s", survived ? "survived" : "ended");
        return survived ? refusal : "it ended";
    }

    /** Rows that fit into no page that a table has already. Rolled back, and known by the words for a full disk. */
    private String refusal() {
        try (Connection connection = connect();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO faults_filler VALUES (?)")) {
            connection.setAutoCommit(false);
            for (int i = 0; i < FILLERS; i++) {
                insert.setBytes(1, FILLER);
                insert.executeUpdate();
            }
            connection.rollback();
            return null;
        } catch (SQLException e) {
            return Facts.Letter.blamesFullDisk(String.valueOf(e.getMessage())) ? "a row was rejected" : null;
        }
    }

    /** It works, but cannot be reached. */
    Outages.Outage unreachable() {
        return outages.begin(Outages.DATABASE, "unreachable");
    }

    @Override
    public void close() {
        database.close();
    }

    private ServerOptions options() {
        return disk.map(mounted -> ServerOptions.in(mounted.directory().resolve("database")))
                .orElse(ServerOptions.temporary());
    }

    private boolean answersSoon() {
        long deadline = System.nanoTime() + ANSWER_WITHIN_MILLIS * 1_000_000;
        while (ProcessHandle.of(database.pid()).isPresent() && System.nanoTime() < deadline) {
            try (Connection connection = connect()) {
                return connection.isValid(1);
            } catch (SQLException recovering) {
                Pause.millis(100);
            }
        }
        return false;
    }

    /** Can't be compressed. */
    private static byte[] filler() {
        byte[] bytes = new byte[256 * 1024];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    private void createTables() {
        String identity = mySql ? "BIGINT NOT NULL AUTO_INCREMENT" : "BIGINT GENERATED BY DEFAULT AS IDENTITY";
        List<String> statements = new ArrayList<>(List.of(
                "CREATE TABLE faults_locked (id BIGINT PRIMARY KEY, number BIGINT NOT NULL)",
                "CREATE TABLE faults_versioned (id BIGINT PRIMARY KEY, number BIGINT NOT NULL, version INTEGER NOT NULL)",
                "CREATE TABLE faults_committed (id VARCHAR(36) PRIMARY KEY, account VARCHAR(16) NOT NULL,"
                        + " number BIGINT NOT NULL, fault VARCHAR(16) NOT NULL, type VARCHAR(16) NOT NULL,"
                        + " app_version INTEGER NOT NULL, written_at BIGINT NOT NULL, due_at BIGINT NOT NULL)",
                "CREATE TABLE faults_effect (no " + identity
                        + ", id VARCHAR(36) NOT NULL, account VARCHAR(16) NOT NULL,"
                        + " number BIGINT NOT NULL, node VARCHAR(16) NOT NULL, attempt INTEGER NOT NULL,"
                        + " PRIMARY KEY (no))",
                "CREATE TABLE faults_request (no " + identity + ", id VARCHAR(36) NOT NULL, PRIMARY KEY (no))",
                "CREATE TABLE faults_receipt (no " + identity + ", id VARCHAR(36) NOT NULL, PRIMARY KEY (no))",
                "CREATE TABLE faults_filler (bytes " + (mySql ? "LONGBLOB" : "BYTEA") + " NOT NULL)",
                "CREATE TABLE faults_seen (account VARCHAR(16) PRIMARY KEY, number BIGINT NOT NULL)"));
        for (int id = 1; id <= ACCOUNTS; id++) {
            statements.add("INSERT INTO faults_locked VALUES (" + id + ", 0)");
            statements.add("INSERT INTO faults_versioned VALUES (" + id + ", 0, 0)");
            statements.add("INSERT INTO faults_seen VALUES ('L" + id + "', 0), ('V" + id + "', 0)");
        }
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the application's tables could not be created", e);
        }
    }
}
