package io.outboxed.it.refused;

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
import java.util.Objects;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A real server refuses what can't work: one deployment, and every problem in one message. */
class RefusedDeploymentIT {

    private static ApplicationServer misused;
    private static ApplicationServer withoutJta;
    private static ApplicationServer withoutDataSource;
    private static ApplicationServer withoutDriver;

    /** All at once, to save time. */
    @BeforeAll
    static void startServers() throws IOException {
        misused = start(
                "refused",
                warOfThisRun()
                        .addClasses(Misuse.class, Misuse.Used.class, Misuse.UsedToo.class)
                        .addClasses(MisusedSession.class, MisusedBasket.class));
        WebArchive war = warOfThisRun();
        war.delete("/WEB-INF/web.xml");
        war.addAsWebInfResource("io/outboxed/it/refused/web.xml", "web.xml");
        withoutJta = start("no-jta", war);
        withoutDataSource = start("no-data-source", withoutDataSource());
        withoutDriver = start("no-driver", warOfThisRun(), "jdbc:nosuch://localhost/shop");
    }

    @AfterAll
    static void stopServers() {
        Stream.of(misused, withoutJta, withoutDataSource, withoutDriver)
                .filter(Objects::nonNull)
                .forEach(ApplicationServer::close);
    }

    @Test
    void every_misuse_is_named_in_one_message() {
        String log = misused.awaitStarted().logged();

        assertThat(log)
                .contains("OUTBOX-0500 11 problems with event handlers; nothing was deployed:")
                .contains("OUTBOX-0501 io.outboxed.it.refused.Misuse.later(Used) is @ObservesAsync")
                .contains("OUTBOX-0502 io.outboxed.it.refused.Misuse.afterwards(Used) observes during AFTER_SUCCESS")
                .contains("OUTBOX-0503 io.outboxed.it.refused.Misuse.ifThere(Used) is notified IF_EXISTS")
                .contains(
                        "OUTBOX-0504 io.outboxed.it.refused.MisusedSession.background(Used) is @jakarta.ejb.Asynchronous")
                .contains("OUTBOX-0505 io.outboxed.it.refused.MisusedBasket.add(Used) is in a @SessionScoped bean")
                .contains("OUTBOX-0506 io.outboxed.it.refused.Misuse.once(Used) is static")
                .contains("OUTBOX-0508 io.outboxed.it.refused.Misuse.everything(OutboxMessage) observes")
                .contains("OUTBOX-0511 io.outboxed.it.refused.Misuse.badName(Used) has the handler name \"bad name\"")
                .contains(
                        "OUTBOX-0512 io.outboxed.it.refused.Misuse.shared(Used) has @Retry and @Transactional(REQUIRED)")
                .contains("OUTBOX-0512 io.outboxed.it.refused.MisusedSession.repeated(Used) has @Retry and a session")
                .contains("both have the event type misuse");
    }

    /** If every statement were committed by itself, events of rolled-back transactions would be delivered. */
    @Test
    void a_data_source_outside_of_jta_is_refused() {
        String log = withoutJta.awaitStarted().logged();

        assertThat(log).contains("OUTBOX-0309 the data source java:app/jdbc/outbox takes part in no JTA transaction");
    }

    /** Most servers find that out themselves, before they call Outboxed. */
    @Test
    void without_the_data_source_the_log_has_the_message_that_the_page_of_messages_explains() throws IOException {
        String log = withoutDataSource.awaitStarted().logged();

        String message = ThisServer.property("no-data-source");
        assertThat(log).contains(message).containsPattern("jdbc[./]outbox");
        assertThat(Files.readString(Path.of("..", "docs", "log-ids.md"))).contains("`" + message);
    }

    /** To wait for such a database would not help. */
    @Test
    void a_database_without_a_driver_is_refused_and_not_waited_for() {
        String log = withoutDriver.awaitStarted().logged();

        assertThat(log)
                .contains("OUTBOX-0202 no JDBC driver accepts jdbc:nosuch://localhost/shop")
                .doesNotContain("OUTBOX-0451");
    }

    private static WebArchive withoutDataSource() {
        WebArchive war = warOfThisRun();
        war.getContent(path -> path.get().contains("/outbox-datasource-"))
                .keySet()
                .forEach(war::delete);
        return war;
    }

    private static WebArchive warOfThisRun() {
        return ShrinkWrap.create(ZipImporter.class, "refused.war")
                .importFrom(new File(System.getProperty("it.war")))
                .as(WebArchive.class);
    }

    private static ApplicationServer start(String name, WebArchive archive) throws IOException {
        return start(name, archive, "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1");
    }

    private static ApplicationServer start(String name, WebArchive archive, String url) throws IOException {
        Path war = Files.createDirectories(Path.of(System.getProperty("it.directory")))
                .resolve(name + ".war");
        archive.as(ZipExporter.class).exportTo(war.toFile(), true);
        ServerSetup setup = ServerUnderTest.of(name, war).with("-Doutbox.datasource.url=" + url);
        return ApplicationServer.of(setup).start(Map.of());
    }
}
