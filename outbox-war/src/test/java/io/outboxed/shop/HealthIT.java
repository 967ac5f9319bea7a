package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.ApplicationServer;
import io.outboxed.servers.database.RealDatabase;
import io.outboxed.servers.database.RealMySql;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server's own probes, while all is well and while the database is unreachable. */
class HealthIT {
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    @Test
    void an_unreachable_database_makes_the_node_not_ready_and_restarts_nothing() throws Exception {
        try (RealDatabase real = RealMySql.start();
                ApplicationServer server = ApplicationServer.of(ServerUnderTest.of("health", TestDatabase.of(real)))) {
            server.start(Map.of()).awaitAnswer("/outbox/");
            awaitReady(server, "outbox-relay UP", "outbox-store UP");
            assertThat(checks(server, "started")).containsExactly("outbox-schema UP");
            assertThat(checks(server, "live")).containsExactly("outbox-relay UP");
            assertThat(data(server)).contains("\"shards\"").doesNotContain("jdbc:", real.url());

            real.kill();
            awaitReady(server, "outbox-store DOWN");
            assertThat(checks(server, "live")).containsExactly("outbox-relay UP");

            real.restart();
            awaitReady(server, "outbox-relay UP", "outbox-store UP");
        }
    }

    @Test
    void each_probe_can_be_switched_off(@TempDir Path directory) {
        TestDatabase database = TestDatabase.inFile(directory.resolve("outbox"));
        try (ApplicationServer server = ApplicationServer.of(ServerUnderTest.of("health-off", database)
                .with("-Doutbox.health.startup=false")
                .with("-Doutbox.health.readiness=false"))) {
            server.start(Map.of()).awaitAnswer("/outbox/");

            assertThat(checks(server, "started")).isEmpty();
            assertThat(checks(server, "ready")).isEmpty();
            assertThat(checks(server, "live")).containsExactly("outbox-relay UP");
        }
    }

    private void awaitReady(ApplicationServer server, String... expected) {
        List<String> wanted = List.of(expected);
        Await.until(
                "the readiness probe says " + wanted,
                60,
                () -> checks(server, "ready").containsAll(wanted));
    }

    /** Those of the outbox; a server may add its own. */
    private List<String> checks(ApplicationServer server, String probe) {
        JsonObject answer = Json.createReader(new StringReader(get(server, "/health/" + probe)))
                .readObject();
        return Stream.ofNullable(answer.getJsonArray("checks"))
                .flatMap(checks -> checks.getValuesAs(JsonObject.class).stream())
                .filter(check -> check.getString("name").startsWith("outbox-"))
                .map(check -> check.getString("name") + " " + check.getString("status"))
                .sorted()
                .toList();
    }

    private String data(ApplicationServer server) {
        return get(server, "/health");
    }

    private String get(ApplicationServer server, String path) {
        URI uri = URI.create("http://127.0.0.1:" + server.healthPort() + path);
        try {
            return http.send(
                            HttpRequest.newBuilder(uri)
                                    .timeout(Duration.ofSeconds(30))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new IllegalStateException(uri.toString(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(uri.toString(), e);
        }
    }
}
