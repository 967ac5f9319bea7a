package io.outboxed.shop;

import io.outboxed.servers.RealMySql;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;

/** Where a server under test connects to. */
record TestDatabase(String url, String user, String password, AutoCloseable server) implements CloseableResource {

    /** The one of this run ({@code it.database}), started with the first class that asks and ended after the last. */
    static TestDatabase ofThisRun(ExtensionContext context) {
        return context.getRoot()
                .getStore(Namespace.create(TestDatabase.class))
                .getOrComputeIfAbsent("database", key -> named(System.getProperty("it.database")), TestDatabase.class);
    }

    private static TestDatabase named(String name) {
        return switch (name) {
            case "h2" -> inMemory();
            case "mysql" -> of(RealMySql.start());
            default -> throw new IllegalArgumentException("it.database: expected h2 or mysql, got " + name);
        };
    }

    /** Lives as long as the server's process. */
    private static TestDatabase inMemory() {
        return new TestDatabase("jdbc:h2:mem:it;DB_CLOSE_DELAY=-1", "sa", "", () -> {});
    }

    /** Survives the server's process. */
    static TestDatabase inFile(Path file) {
        return new TestDatabase(
                "jdbc:h2:file:" + file.toAbsolutePath() + ";DB_CLOSE_ON_EXIT=FALSE", "sa", "", () -> {});
    }

    static TestDatabase of(RealMySql mysql) {
        return new TestDatabase(mysql.url(), mysql.user(), mysql.password(), mysql);
    }

    @Override
    public void close() throws Exception {
        server.close();
    }
}
