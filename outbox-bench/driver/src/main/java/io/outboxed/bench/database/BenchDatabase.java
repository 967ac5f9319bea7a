package io.outboxed.bench.database;

import io.outboxed.bench.Options;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMariaDb;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.RealPostgres;
import io.outboxed.servers.database.ServerOptions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.h2.tools.Server;

/** A durable database, in a process of its own unless it is H2. */
public final class BenchDatabase implements AutoCloseable {
    private final Product product;
    private final String url;
    private final String user;
    private final String password;
    private final long pid;
    private final String settings;
    private final AutoCloseable server;

    private BenchDatabase(
            Product product,
            String url,
            String user,
            String password,
            long pid,
            String settings,
            AutoCloseable server) {
        this.product = product;
        this.url = url;
        this.user = user;
        this.password = password;
        this.pid = pid;
        this.settings = settings;
        this.server = server;
    }

    public static BenchDatabase start(Product product, Options options) {
        if (!options.url().isEmpty()) {
            return new BenchDatabase(
                    product, options.url(), options.user(), options.password(), 0, "as it was found", () -> {});
        }
        String more = options.databaseOptions().isEmpty() ? "" : ", " + String.join(" ", options.databaseOptions());
        return switch (product) {
            case MYSQL ->
                real(
                        product,
                        RealMySql.start(durably(
                                options,
                                "--innodb-buffer-pool-size=2G",
                                "--innodb-log-file-size=1G",
                                "--innodb-flush-method=O_DIRECT",
                                "--innodb-io-capacity=2000")),
                        "innodb_flush_log_at_trx_commit=1, innodb_flush_method=O_DIRECT, innodb_io_capacity=2000, no"
                                + " binary log, buffer pool 2 GiB, redo log 2 x 1 GiB" + more);
            case POSTGRESQL ->
                real(
                        product,
                        mayCheckpoint(RealPostgres.start(
                                durably(options, "-c", "shared_buffers=512MB", "-c", "max_wal_size=2GB"))),
                        "fsync=on, synchronous_commit=on, shared_buffers 512 MiB, max_wal_size 2 GiB" + more);
            case H2 -> h2(options.directory());
            case MARIADB ->
                real(
                        product,
                        RealMariaDb.start(durably(
                                options,
                                "--innodb-buffer-pool-size=2G",
                                "--innodb-log-file-size=2G",
                                "--innodb-io-capacity=2000")),
                        "innodb_flush_log_at_trx_commit=1, innodb_io_capacity=2000, no binary log, buffer pool 2 GiB,"
                                + " redo log 2 GiB" + more);
        };
    }

    private static RealPostgres mayCheckpoint(RealPostgres server) {
        try (Connection connection =
                        DriverManager.getConnection(server.url(), "postgres", server.administratorPassword());
                Statement statement = connection.createStatement()) {
            statement.execute("GRANT pg_checkpoint TO " + server.user());
            return server;
        } catch (SQLException e) {
            server.close();
            throw new IllegalStateException("the right to make checkpoints could not be granted", e);
        }
    }

    /** The options' own arguments come last, so that they take precedence. */
    private static ServerOptions durably(Options options, String... arguments) {
        ServerOptions all = ServerOptions.temporary().durably();
        for (String argument : arguments) {
            all = all.with(argument);
        }
        for (String argument : options.databaseOptions()) {
            all = all.with(argument);
        }
        return all;
    }

    private static BenchDatabase real(Product product, RealDatabase database, String settings) {
        return new BenchDatabase(
                product, database.url(), database.user(), database.password(), database.pid(), settings, database);
    }

    /** H2 in this process, but with a TCP server, because several processes use it. */
    private static BenchDatabase h2(Path directory) {
        try {
            Server tcp = Server.createTcpServer(
                            "-tcpPort",
                            "0",
                            "-ifNotExists",
                            "-baseDir",
                            directory.resolve("h2").toString())
                    .start();
            String url = "jdbc:h2:tcp://127.0.0.1:" + tcp.getPort() + "/./bench-" + System.nanoTime();
            return new BenchDatabase(Product.H2, url, "sa", "", 0, "defaults, in the driver's process", tcp::stop);
        } catch (SQLException e) {
            throw new IllegalStateException("H2 could not be started", e);
        }
    }

    public Product product() {
        return product;
    }

    public String id() {
        return product.id();
    }

    public String url() {
        return url;
    }

    public String user() {
        return user;
    }

    public String password() {
        return password;
    }

    /** Returns 0 if its process is not known. */
    public long pid() {
        return pid;
    }

    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url, user, password);
    }

    /**
     * On PostgreSQL without cached plans that were right only for an empty table, like the library's own connections.
     */
    public Connection connectForDraining() throws SQLException {
        Connection connection = connect();
        if (product == Product.POSTGRESQL) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET plan_cache_mode = force_custom_plan");
                for (String way : List.of("seqscan", "bitmapscan", "hashjoin", "mergejoin", "sort")) {
                    statement.execute("SET enable_" + way + " = off");
                }
            }
        }
        return connection;
    }

    public void execute(String... statements) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("a statement of the benchmark failed: " + String.join("; ", statements), e);
        }
    }

    public String description() {
        try (Connection connection = connect()) {
            return connection.getMetaData().getDatabaseProductName() + " "
                    + connection.getMetaData().getDatabaseProductVersion() + " (" + settings + ")";
        } catch (SQLException e) {
            throw new IllegalStateException("the database does not answer", e);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (Exception e) {
            throw new IllegalStateException("the database could not be ended", e);
        }
    }
}
