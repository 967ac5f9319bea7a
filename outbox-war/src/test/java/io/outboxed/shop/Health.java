package io.outboxed.shop;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The server's own probes, as an orchestrator asks them. */
final class Health {
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final URI root;

    private Health(URI root) {
        this.root = root;
    }

    static Health at(int port) {
        return new Health(URI.create("http://127.0.0.1:" + port + "/health/"));
    }

    void awaitReady(String... expected) {
        List<String> wanted = List.of(expected);
        Await.until(
                "the readiness probe says " + wanted,
                60,
                () -> checks("ready").containsAll(wanted),
                () -> checks("ready"));
    }

    /** Those of the outbox; a server may add its own. */
    List<String> checks(String probe) {
        JsonObject answer =
                Json.createReader(new StringReader(get(root.resolve(probe)))).readObject();
        return Stream.ofNullable(answer.getJsonArray("checks"))
                .flatMap(checks -> checks.getValuesAs(JsonObject.class).stream())
                .filter(check -> check.getString("name").startsWith("outbox-"))
                .map(check -> check.getString("name") + " " + check.getString("status"))
                .sorted()
                .toList();
    }

    /** All probes in one answer. */
    String all() {
        return get(root.resolve("../health"));
    }

    private String get(URI uri) {
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
