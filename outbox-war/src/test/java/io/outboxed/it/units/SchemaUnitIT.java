package io.outboxed.it.units;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.ApplicationServer;
import io.outboxed.servers.ServerSetup;
import io.outboxed.shop.ServerUnderTest;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;

/** A unit that creates its tables during the deployment needs a database that a relay could wait for. */
class SchemaUnitIT {
    private static final String UNIT = "META-INF/persistence.xml";
    private static final String DIALECT = "<property name=\"io.outboxed.dialect\" value=\"configured\"/>";

    @Test
    void a_unit_that_creates_its_tables_is_refused_while_the_database_is_down() throws IOException {
        try (ServerSocket bound = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ApplicationServer server = start(bound.getLocalPort())) {
            String log = server.awaitStarted().logged();

            assertThat(log)
                    .contains("OUTBOX-0316 the persistence unit shop has the schema action create, which needs its"
                            + " database during the deployment, but could not connect to it. Nothing was deployed.")
                    .doesNotContain("OUTBOX-0401");
        }
    }

    /** @param port nothing answers there */
    private static ApplicationServer start(int port) throws IOException {
        ServerSetup setup = ServerUnderTest.of("schema", war())
                .with("-Doutbox.datasource.url=jdbc:postgresql://127.0.0.1:" + port
                        + "/outbox?connectTimeout=2&loginTimeout=2&socketTimeout=2");
        return ApplicationServer.of(setup).start(Map.of());
    }

    private static Path war() throws IOException {
        WebArchive war = ShrinkWrap.create(ZipImporter.class, "schema.war")
                .importFrom(new File(System.getProperty("it.war")))
                .as(WebArchive.class);
        String unit;
        try (var original = war.get("/WEB-INF/classes/" + UNIT).getAsset().openStream()) {
            unit = new String(original.readAllBytes(), StandardCharsets.UTF_8);
        }
        assertThat(unit).containsOnlyOnce(DIALECT);
        war.delete("/WEB-INF/classes/" + UNIT);
        war.addAsResource(
                new StringAsset(unit.replace(
                        DIALECT,
                        DIALECT + "<property name=\"jakarta.persistence.schema-generation.database.action\""
                                + " value=\"create\"/>")),
                UNIT);
        Path file = Files.createDirectories(Path.of(System.getProperty("it.directory")))
                .resolve("schema.war");
        war.as(ZipExporter.class).exportTo(file.toFile(), true);
        return file;
    }
}
