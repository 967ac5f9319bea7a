package io.outboxed.servers;

import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMariaDb;
import io.outboxed.servers.database.RealMySql;
import io.outboxed.servers.database.RealPostgres;
import io.outboxed.servers.database.ServerOptions;
import io.outboxed.servers.process.ServerFailedException;
import java.nio.file.Path;
import java.util.Map;

/** The database of the demo: its URL, the variables for the server, and what has to be closed afterwards. */
record DemoDatabase(String url, Map<String, String> environment, AutoCloseable server) implements AutoCloseable {
    private static final String URL = "OUTBOX_DATASOURCE_URL";

    /** A database configured in the environment takes precedence over the choice. */
    static DemoDatabase start(String choice, Path directory) {
        String ownUrl = System.getenv(URL);
        if (ownUrl != null) {
            return new DemoDatabase(URL + " from the environment", Map.of(), () -> {});
        }
        return switch (choice) {
            case "h2" -> h2(directory.resolve("h2"));
            case "mysql" -> real(RealMySql.start(options(directory, choice)));
            case "mariadb" -> real(RealMariaDb.start(options(directory, choice)));
            case "postgresql" -> real(RealPostgres.start(options(directory, choice)));
            default ->
                throw new ServerFailedException("demo.database is '" + choice
                        + "': choose h2, mysql, mariadb or postgresql, or name a server of your own in " + URL);
        };
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (Exception e) {
            throw new ServerFailedException("The database could not be ended", e);
        }
    }

    private static ServerOptions options(Path directory, String choice) {
        return ServerOptions.in(directory.resolve(choice)).durably();
    }

    /**
     * H2 without its write delay, which would lose what was committed in the last half second before the server is
     * killed, and with asynchronous files: an interrupt of a late handler would close a plain one, and the database
     * with it.
     */
    private static DemoDatabase h2(Path directory) {
        return of(
                "jdbc:h2:async:" + directory.resolve("outbox") + ";DB_CLOSE_ON_EXIT=FALSE;WRITE_DELAY=0",
                "sa",
                "",
                () -> {});
    }

    private static DemoDatabase real(RealDatabase database) {
        return of(database.url(), database.user(), database.password(), database);
    }

    private static DemoDatabase of(String url, String user, String password, AutoCloseable server) {
        return new DemoDatabase(
                url, Map.of(URL, url, "OUTBOX_DATASOURCE_USER", user, "OUTBOX_DATASOURCE_PASSWORD", password), server);
    }
}
