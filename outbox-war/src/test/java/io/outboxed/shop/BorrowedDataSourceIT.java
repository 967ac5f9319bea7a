package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.ApplicationServer;
import io.outboxed.servers.ServerDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;

/** The server defines the data source and has the driver; the application's own data source borrows its connections. */
class BorrowedDataSourceIT {
    private static final String UNITS = "/WEB-INF/classes/META-INF/persistence.xml";

    private final String kind = System.getProperty("it.database");
    private final Path directory = Path.of(System.getProperty("it.directory"), "borrowed-data-source");

    @Test
    void orders_on_connections_of_a_data_source_of_the_server_are_shipped_once() throws Exception {
        try (TestDatabase database = TestDatabase.ofThisRun();
                ApplicationServer server = server(ServerDriver.warOfThisRun())) {
            ShopOnServersData.start(server, database);
            ShopOnServersData.shipsOrdersOnce(server);
        }
    }

    /** It is outside JTA: what a unit writes on it would stay when the transaction is rolled back. */
    @Test
    void a_unit_on_that_data_source_is_refused() throws Exception {
        WebArchive war = ServerDriver.warOfThisRun();
        String units;
        try (InputStream in = war.get(UNITS).getAsset().openStream()) {
            units = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        war.delete(UNITS);
        war.add(new StringAsset(units.replace("java:app/jdbc/outbox", "jdbc/main")), UNITS);
        try (TestDatabase database = TestDatabase.ofThisRun();
                ApplicationServer server = server(war)) {
            ShopOnServersData.start(server, database);

            assertThat(server.awaitStarted().logged())
                    .contains("OUTBOX-0317", "shop on jdbc/main (")
                    .contains("it is outside JTA")
                    .doesNotContain("OUTBOX-0401");
        }
    }

    private ApplicationServer server(WebArchive war) throws IOException {
        Files.createDirectories(directory);
        ServerDataSource defined = new ServerDataSource(kind, ServerDriver.of(war, kind, directory));
        ServerDriver.deleteAll(war);
        Path withoutDrivers = directory.resolve("outbox.war");
        war.as(ZipExporter.class).exportTo(withoutDrivers.toFile(), true);
        return ApplicationServer.of(ServerUnderTest.of("borrowed-data-source", withoutDrivers)
                .with(defined)
                .with("-Doutbox.datasource.lookup=jdbc/main"));
    }
}
