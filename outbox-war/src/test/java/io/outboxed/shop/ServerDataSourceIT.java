package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.examples.Http;
import io.outboxed.servers.ApplicationServer;
import io.outboxed.servers.ServerDataSource;
import io.outboxed.servers.ServerSetup;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;

/** The server defines the data source and has the driver; the application, without either, only refers to it. */
class ServerDataSourceIT {
    private static final String DESCRIPTORS = "io/outboxed/shop/server-data-source/";

    private final String kind = System.getProperty("it.database");
    private final Path directory = Path.of(System.getProperty("it.directory"), "server-data-source");

    @Test
    void orders_on_a_data_source_of_the_server_are_shipped_once() throws Exception {
        Files.createDirectories(directory);
        WebArchive war = ServerDriver.warOfThisRun();
        Path driver = ServerDriver.of(war, kind, directory);
        try (TestDatabase database = TestDatabase.ofThisRun();
                ApplicationServer server = ApplicationServer.of(setup(referring(war), driver))) {
            ShopOnServersData.shipsOrdersOnce(server, database);
        }
    }

    @Test
    void another_application_on_a_data_source_of_the_server_sets_its_reminders() throws Exception {
        Files.createDirectories(directory);
        WebArchive withDriver = ServerDriver.warOfThisRun();
        Path war = Path.of("..", "examples", "lending", "target", "lending-server-data-source.war");
        try (TestDatabase database = TestDatabase.ofThisRun();
                ApplicationServer server =
                        ApplicationServer.of(setup(war, ServerDriver.of(withDriver, kind, directory)))) {
            ShopOnServersData.start(server, database);
            Http http = Http.at(server.port());
            String loans = "/lending-server-data-source/api/loans";
            Await.until(
                    "the application answers about an unknown book",
                    60,
                    () -> http.get(loans + "/none/reminders").statusCode() == 200,
                    server::logged);

            assertThat(http.post(loans, "book=emma&reader=ada").statusCode()).isEqualTo(201);

            Await.until(
                    "the reminder",
                    () -> http.get(loans + "/emma/reminders").body().equals("1"));
        }
    }

    private ServerSetup setup(Path war, Path driver) {
        return ServerUnderTest.of("server-data-source", war)
                .with(new ServerDataSource(kind, driver))
                // the shop's own configuration names a database
                .with("-Doutbox.datasource.url=")
                .with("-Doutbox.datasource.dialect=" + kind);
    }

    private Path referring(WebArchive war) {
        ServerDriver.deleteAll(war);
        war.delete(ServerDriver.library(war, "outbox-datasource-"));
        war.delete("/WEB-INF/web.xml");
        Path file = directory.resolve("outbox.war");
        war.addAsWebInfResource(DESCRIPTORS + "web.xml", "web.xml")
                .addAsWebInfResource(DESCRIPTORS + "jboss-web.xml", "jboss-web.xml")
                .as(ZipExporter.class)
                .exportTo(file.toFile(), true);
        return file;
    }
}
