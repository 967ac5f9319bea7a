package io.outboxed.shop;

import io.outboxed.servers.ApplicationServer;
import io.outboxed.servers.ServerDataSource;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;

/** The server defines the data source and has the driver; the application's own data source borrows its connections. */
class BorrowedDataSourceIT {
    private final String kind = System.getProperty("it.database");
    private final Path directory = Path.of(System.getProperty("it.directory"), "borrowed-data-source");

    @Test
    void orders_on_connections_of_a_data_source_of_the_server_are_shipped_once() throws Exception {
        Files.createDirectories(directory);
        WebArchive war = ServerDriver.warOfThisRun();
        ServerDataSource defined = new ServerDataSource(kind, ServerDriver.of(war, kind, directory));
        ServerDriver.deleteAll(war);
        Path withoutDrivers = directory.resolve("outbox.war");
        war.as(ZipExporter.class).exportTo(withoutDrivers.toFile(), true);
        try (TestDatabase database = TestDatabase.ofThisRun();
                ApplicationServer server =
                        ApplicationServer.of(ServerUnderTest.of("borrowed-data-source", withoutDrivers)
                                .with(defined)
                                .with("-Doutbox.datasource.lookup=jdbc/main"))) {
            ShopOnServersData.start(server, database);
            ShopOnServersData.shipsOrdersOnce(server);
        }
    }
}
