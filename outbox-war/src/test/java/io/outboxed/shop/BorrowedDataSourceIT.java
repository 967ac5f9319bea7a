package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.ApplicationServer;
import io.outboxed.servers.ServerDataSource;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;

/** The server defines the data source and has the driver; the application's own data source borrows its connections. */
class BorrowedDataSourceIT {
    private final String kind = System.getProperty("it.database");
    private final Path directory = Path.of(System.getProperty("it.directory"), "borrowed-data-source");

    @Test
    void orders_on_connections_of_a_data_source_of_the_server_are_shipped_once() throws Exception {
        Files.createDirectories(directory);
        WebArchive war = ShrinkWrap.create(ZipImporter.class, "outbox.war")
                .importFrom(new File(System.getProperty("it.war")))
                .as(WebArchive.class);
        ServerDataSource defined = new ServerDataSource(kind, ServerDriver.of(war, kind, directory));
        ServerDriver.deleteAll(war);
        Path withoutDrivers = directory.resolve("outbox.war");
        war.as(ZipExporter.class).exportTo(withoutDrivers.toFile(), true);
        try (TestDatabase database = TestDatabase.ofThisRun();
                ApplicationServer server =
                        ApplicationServer.of(ServerUnderTest.of("borrowed-data-source", withoutDrivers)
                                .with(defined)
                                .with("-Doutbox.datasource.lookup=jdbc/main"))) {
            server.start(Map.of(
                            "JDBC_URL", database.url(),
                            "JDBC_USER", database.user(),
                            "JDBC_PASSWORD", database.password()))
                    .awaitStarted();
            Shop shop = Shop.at(server.port());
            Await.until("the WAR is deployed", 60, shop::deployed, server::logged);

            List<Long> orders = IntStream.range(0, 100)
                    .mapToObj(n -> shop.order(n % 10 == 0 ? "flaky" : "tea"))
                    .toList();

            shop.awaitQuiet(120);
            assertThat(orders).allSatisfy(order -> {
                assertThat(shop.parcels(order)).containsExactly("OUT");
                assertThat(shop.mails(order)).hasSize(1);
            });
            assertThat(server.logged()).contains("java:app/jdbc/outbox, defined by the server or the application");
        }
    }
}
