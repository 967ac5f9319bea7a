package io.outboxed.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.ApplicationServer;
import io.outboxed.shop.Await;
import io.outboxed.shop.ServerUnderTest;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * An independent application with only the library's two jars: its own tables, persistence unit and data source. It was
 * replaced in the running server before it is used.
 */
class ExampleIT {
    static final Path WAR = Path.of("..", "examples", "lending", "target", "lending.war");

    private static ApplicationServer server;

    @BeforeAll
    static void replaceTheApplication() {
        server = ApplicationServer.of(ServerUnderTest.of("lending", WAR));
        server.startAndReplace(Map.of()).awaitReplaced();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void a_replaced_application_gives_its_shards_back_before_its_data_source_is_closed() {
        assertThat(server.logged().lines().filter(line -> line.contains("OUTBOX-0407")))
                .as("the nodes that left")
                .hasSize(2)
                .allMatch(line -> line.matches(".*released [1-9]\\d* shards; the leases of 0 shards .*"));
        assertThat(server.logged()).as("what the relay could not do").doesNotContain("OUTBOX-042");
    }

    @Test
    void a_loan_sets_one_reminder_and_a_loan_that_fails_none() {
        Http http = Http.at(server.port());
        Await.until(
                "the application answers about an unknown book",
                60,
                () -> http.get("/lending/api/loans/none").statusCode() == 404
                        && http.get("/lending/api/loans/none/reminders").statusCode() == 200,
                server::logged);

        assertThat(http.post("/lending/api/loans", "book=emma&reader=ada").statusCode())
                .isEqualTo(201);
        assertThat(http.post("/lending/api/loans", "book=emma&reader=bob").statusCode())
                .as("the same book again")
                .isEqualTo(500);
        assertThat(http.post("/lending/api/loans", "book=the+odyssey&reader=bob")
                        .statusCode())
                .isEqualTo(201);

        Await.until(
                "a reminder of each book",
                () -> !reminders(http, "emma").equals("0")
                        && !reminders(http, "the%20odyssey").equals("0"));
        assertThat(reminders(http, "emma")).isEqualTo("1");
        assertThat(http.get("/lending/api/loans/emma").body()).isEqualTo("ada");
    }

    private static String reminders(Http http, String book) {
        return http.get("/lending/api/loans/" + book + "/reminders").body();
    }
}
