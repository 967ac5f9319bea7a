package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.examples.Http;
import io.outboxed.servers.ApplicationServer;
import io.outboxed.servers.ServerDataSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server defines the data source and has the driver; the application, without either, only refers to it. */
class ServerDataSourceIT {
    private static final String DESCRIPTORS = "io/outboxed/shop/server-data-source/";

    private static final String KIND = System.getProperty("it.database");
    private static final List<AutoCloseable> OPEN = new ArrayList<>();

    private static ApplicationServer shop;
    private static ApplicationServer lending;

    /** Both at once, to save time. */
    @BeforeAll
    static void startServers(@TempDir Path directory) throws IOException {
        WebArchive war = ServerDriver.warOfThisRun();
        Path driver = ServerDriver.of(war, KIND, directory);
        shop = start("server-data-source", referring(war, directory), driver);
        lending = start(
                "server-data-source-lending",
                Path.of("..", "examples", "lending", "target", "lending-server-data-source.war"),
                driver);
    }

    private static ApplicationServer start(String name, Path war, Path driver) {
        TestDatabase database = TestDatabase.ofThisRun();
        OPEN.add(0, database);
        ApplicationServer server = ApplicationServer.of(ServerUnderTest.of(name, war)
                .with(new ServerDataSource(KIND, driver))
                // the shop's own configuration names a database
                .with("-Doutbox.datasource.url=")
                .with("-Doutbox.datasource.dialect=" + KIND));
        OPEN.add(0, server);
        ShopOnServersData.start(server, database);
        return server;
    }

    @AfterAll
    static void closeAll() throws Exception {
        for (AutoCloseable each : OPEN) {
            each.close();
        }
    }

    @Test
    void orders_on_a_data_source_of_the_server_are_shipped_once() {
        ShopOnServersData.shipsOrdersOnce(shop);
    }

    @Test
    void another_application_on_a_data_source_of_the_server_sets_its_reminders() {
        lending.awaitStarted();
        Http http = Http.at(lending.port());
        String loans = "/lending-server-data-source/api/loans";
        Await.until(
                "the application answers about an unknown book",
                60,
                () -> http.get(loans + "/none/reminders").statusCode() == 200,
                lending::logged);

        assertThat(http.post(loans, "book=emma&reader=ada").statusCode()).isEqualTo(201);

        Await.until(
                "the reminder", () -> http.get(loans + "/emma/reminders").body().equals("1"));
    }

    private static Path referring(WebArchive war, Path directory) {
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
