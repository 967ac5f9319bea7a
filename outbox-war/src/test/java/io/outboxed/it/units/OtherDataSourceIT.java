package io.outboxed.it.units;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.it.capture.ThisServer;
import io.outboxed.servers.ApplicationServer;
import io.outboxed.servers.ServerSetup;
import io.outboxed.shop.ServerUnderTest;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;

/** Business data and events can't be committed together if they are in different databases without XA. */
class OtherDataSourceIT {

    @Test
    void a_unit_whose_data_source_cannot_share_a_transaction_with_the_outbox_is_refused() throws IOException {
        try (ApplicationServer server = start(warWith("persistence.xml"), "-Doutbox.node-label=refused")) {
            String log = server.awaitStarted().logged();

            assertThat(log)
                    .contains("OUTBOX-0317 the data sources of these persistence units can't be part of a transaction"
                            + " with java:app/jdbc/outbox: reports on java:app/jdbc/reports (")
                    .doesNotContain("shop on java:app")
                    .doesNotContain("OUTBOX-0293")
                    .doesNotContain("OUTBOX-0401");
        }
    }

    /** Payara and WildFly have a default one, an H2 that is not XA. */
    @Test
    void so_is_a_unit_that_names_none() throws IOException {
        try (ApplicationServer server = start(warWith("default-persistence.xml"), "-Doutbox.node-label=refused")) {
            String log = server.awaitStarted().logged();

            assertThat(log)
                    .contains(ThisServer.property("unit-without-data-source"), "reports")
                    .doesNotContain("OUTBOX-0401");
        }
    }

    @Test
    void a_unit_that_is_named_as_independent_is_accepted() throws IOException {
        try (ApplicationServer server =
                start(warWith("persistence.xml"), "-Doutbox.datasource.independent-units=reports,old")) {
            String log = server.awaitAnswer("/units/").logged();

            assertThat(log)
                    .contains("OUTBOX-0292 outbox.datasource.independent-units names old, but")
                    .doesNotContain("OUTBOX-0317")
                    .doesNotContain("independent-units names reports");
        }
    }

    private static Path warWith(String units) throws IOException {
        WebArchive war = ShrinkWrap.create(ZipImporter.class, "units.war")
                .importFrom(new File(System.getProperty("it.war")))
                .as(WebArchive.class);
        war.delete("/WEB-INF/web.xml");
        war.addAsWebInfResource("io/outboxed/it/units/web.xml", "web.xml");
        war.delete("/WEB-INF/classes/META-INF/persistence.xml");
        war.addAsResource("io/outboxed/it/units/" + units, "META-INF/persistence.xml");
        Path file = Files.createDirectories(Path.of(System.getProperty("it.directory")))
                .resolve("units.war");
        war.as(ZipExporter.class).exportTo(file.toFile(), true);
        return file;
    }

    private static ApplicationServer start(Path war, String settings) {
        ServerSetup setup = ServerUnderTest.of("units", war)
                .with("-Doutbox.datasource.url=jdbc:h2:mem:units;DB_CLOSE_DELAY=-1")
                .with("-Dreports.datasource.url=jdbc:h2:mem:reports;DB_CLOSE_DELAY=-1")
                .with(settings);
        return ApplicationServer.of(setup).start(Map.of());
    }
}
