package io.outboxed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.ApplicationServer;
import io.outboxed.shop.Await;
import io.outboxed.shop.ServerUnderTest;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.example.returning.BookReturned;
import org.jboss.shrinkwrap.api.Archive;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.ByteArrayAsset;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.importer.ZipImporter;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An EAR with the library's EJB jar as a module of its own and two WARs that both store and handle events. */
class EarIT {
    private static final String LIBRARIES = "/WEB-INF/lib/";
    private static final String LISTENER =
            "<listener><listener-class>io.outboxed.ejb.WebContext</listener-class></listener>";

    private static ApplicationServer sharing;
    private static ApplicationServer silent;

    /** Both at once, to save time. */
    @BeforeAll
    static void startServers(@TempDir Path directory) {
        silent = start(directory, "ear-without-listener", "");
        sharing = start(directory, "ear", LISTENER);
    }

    @AfterAll
    static void stopServers() {
        Stream.of(silent, sharing).filter(Objects::nonNull).forEach(ApplicationServer::close);
    }

    @Test
    void two_wars_share_one_outbox_when_one_of_them_names_the_listener() {
        Http http = answering(sharing);

        assertThat(http.post("/lending/api/loans", "book=emma&reader=ada").statusCode())
                .isEqualTo(201);
        assertThat(http.post("/returning/returns", "book=emma").statusCode()).isEqualTo(201);

        Await.until(
                "the reminder",
                () -> http.get("/lending/api/loans/emma/reminders").body().equals("1"));
        Await.until(
                "the book is on its shelf",
                () -> http.get("/returning/returns?book=emma").statusCode() == 200);
    }

    @Test
    void without_the_listener_the_log_says_why_nothing_is_delivered_and_what_to_do() {
        Http http = answering(silent);
        http.post("/returning/returns", "book=emma");

        Await.until("the warning", 90, () -> silent.logged().contains("OUTBOX-0455"), silent::logged);
        assertThat(silent.logged()).contains("in an EAR, declare that class as a listener in the web.xml of one WAR");
        assertThat(http.get("/returning/returns?book=emma").statusCode()).isEqualTo(404);
    }

    private static ApplicationServer start(Path directory, String name, String listener) {
        File file = directory.resolve(name + ".ear").toFile();
        ear(listener).as(ZipExporter.class).exportTo(file);
        return ApplicationServer.of(ServerUnderTest.of(name, file.toPath())).start(Map.of());
    }

    private static Http answering(ApplicationServer server) {
        server.awaitStarted();
        Http http = Http.at(server.port());
        Await.until(
                "both WARs answer",
                60,
                () -> http.get("/lending/api/loans/none").statusCode() == 404
                        && http.get("/lending/api/loans/none/reminders").statusCode() == 200
                        && http.get("/returning/returns?book=none").statusCode() == 404,
                server::logged);
        return http;
    }

    private static EnterpriseArchive ear(String listener) {
        WebArchive lending = ShrinkWrap.create(ZipImporter.class, "lending.war")
                .importFrom(ExampleIT.WAR.toFile())
                .as(WebArchive.class);
        EnterpriseArchive ear = ShrinkWrap.create(EnterpriseArchive.class)
                .addAsModule(jar(lending, "outbox-ejb"))
                .addAsLibrary(jar(lending, "outbox-api"))
                .addAsLibrary(jar(lending, "outbox-cdi"))
                .addAsLibrary(jar(lending, "uuid-creator"))
                .addAsLibrary(jar(lending, "h2"))
                .addAsManifestResource(new StringAsset(descriptor(lending)), "application.xml");
        lending.delete(LIBRARIES);
        lending.setWebXML(new StringAsset(webXml(listener)));
        WebArchive returning = ShrinkWrap.create(WebArchive.class, "returning.war")
                .addPackage(BookReturned.class.getPackage())
                .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml");
        return ear.addAsModule(lending).addAsModule(returning);
    }

    private static JavaArchive jar(Archive<?> war, String name) {
        return war.getContent(path -> path.get().startsWith(LIBRARIES + name)).entrySet().stream()
                .map(entry -> ShrinkWrap.create(ZipImporter.class, name + ".jar")
                        .importFrom(entry.getValue().getAsset().openStream())
                        .as(JavaArchive.class))
                .findFirst()
                .orElseThrow();
    }

    /** With the data source that the WAR would define by itself. */
    private static String descriptor(WebArchive lending) {
        String webXml = new String(
                new ByteArrayAsset(lending.get("WEB-INF/web.xml").getAsset().openStream()).getSource(),
                StandardCharsets.UTF_8);
        String dataSource = webXml.substring(webXml.indexOf("<data-source>"), webXml.indexOf("</web-app>"));
        return "<application xmlns=\"https://jakarta.ee/xml/ns/jakartaee\" version=\"10\">"
                + "<module><ejb>outbox-ejb.jar</ejb></module>"
                + web("lending")
                + web("returning")
                + "<library-directory>lib</library-directory>"
                + dataSource + "</application>";
    }

    private static String web(String name) {
        return "<module><web><web-uri>" + name + ".war</web-uri><context-root>/" + name
                + "</context-root></web></module>";
    }

    private static String webXml(String content) {
        return "<web-app xmlns=\"https://jakarta.ee/xml/ns/jakartaee\" version=\"6.0\">" + content + "</web-app>";
    }
}
