package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The trace of a request continues in what the relay does later on another thread, with the server's own OpenTelemetry.
 */
class TraceIT {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    @Test
    void the_trace_of_the_request_is_known_where_its_event_is_handled(@TempDir Path directory) {
        TestDatabase database = TestDatabase.inFile(directory.resolve("outbox"));
        try (ShopServer server = ShopServer.start(
                        "trace",
                        database,
                        "-Dotel.sdk.disabled=false",
                        "-Dotel.traces.exporter=none",
                        "-Dotel.metrics.exporter=none",
                        "-Dotel.logs.exporter=none",
                        "-Doutbox.node-label=traced")
                .ready()) {
            Shop.Answer placed = server.shop()
                    .send(server.shop()
                            .request("shop/orders")
                            .header("Content-Type", "application/json")
                            .header("traceparent", "00-" + TRACE + "-b7ad6b7169203331-01")
                            .POST(BodyPublishers.ofString(Shop.order("ada", "flaky", 2))));
            assertThat(placed.status()).isEqualTo(201);

            Await.until(
                    "a failed try is logged with the trace of the request",
                    60,
                    () -> server.log().lines().anyMatch(TraceIT::isFailedTry));
            Await.until(
                    "the start-up report names the node's label",
                    60,
                    () -> server.log().contains("OUTBOX-0620 Outboxed is ready")
                            && server.log().contains("(traced)"));
        }
    }

    private static boolean isFailedTry(String line) {
        return line.contains("OUTBOX-0411") && line.contains("trace=" + TRACE);
    }
}
