package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo, on its kind of database, with settings that show from outside. One server: each takes long to start. */
class SettingsIT {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    private static ShopServer server;

    @BeforeAll
    static void startServer(@TempDir Path directory) {
        server = ShopServer.start(
                        "settings",
                        TestDatabase.inFile(directory.resolve("outbox")),
                        "-Dotel.sdk.disabled=false",
                        "-Dotel.traces.exporter=none",
                        "-Dotel.metrics.exporter=none",
                        "-Dotel.logs.exporter=none",
                        "-Doutbox.node-label=traced",
                        "-Doutbox.table-prefix=shop_",
                        "-Doutbox.health.startup=false",
                        "-Doutbox.health.readiness=false")
                .ready();
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    /** With the server's own OpenTelemetry. */
    @Test
    void the_trace_of_the_request_is_known_where_its_event_is_handled() {
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
                () -> server.log().lines().anyMatch(SettingsIT::isFailedTry));
    }

    private static boolean isFailedTry(String line) {
        return line.contains("OUTBOX-0411") && line.contains("trace=" + TRACE);
    }

    @Test
    void the_report_names_the_executor_that_calls_handlers_and_the_tables_which_are_used() {
        Await.until("the report", 60, () -> server.log().contains("OUTBOX-0620 Outboxed is ready"), server::log);

        assertThat(server.log()).containsPattern("executor +java:app/concurrent/outbox\\R");
        assertThat(server.log()).contains("shop_*").contains("(traced)");
        long order = server.shop().order("tea");
        Await.until("it is shipped", 60, () -> server.shop().status(order).equals("SHIPPED"), server::log);
    }

    @Test
    void each_probe_can_be_switched_off() {
        assertThat(server.health().checks("started")).isEmpty();
        assertThat(server.health().checks("ready")).isEmpty();
        assertThat(server.health().checks("live")).containsExactly("outbox-relay UP");
    }
}
