package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.ApplicationServer;
import java.io.IOException;
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

/** The server's own metrics page, as Prometheus reads it, after orders of which one could not be confirmed by mail. */
class MetricsIT {
    private static final String CONFIRMED = "handler=\"Mailer.confirm\"";
    private static final String SHIPPED = "handler=\"Warehouse.ship\"";

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    @Test
    void the_page_shows_what_became_of_the_orders(@TempDir Path directory) {
        TestDatabase database = TestDatabase.inFile(directory.resolve("outbox"));
        try (ApplicationServer server = ApplicationServer.of(
                ServerUnderTest.of("metrics", database).with("-Doutbox.metrics.backlog-interval=1s"))) {
            server.start(Map.of()).awaitAnswer("/outbox/");
            Shop shop = Shop.at(server.port());
            awaitFigure(server, 64, "outbox_shards_held");
            awaitFigure(server, 0, "outbox_backlog", "state=\"dead\"");
            assertThat(figure(server, "outbox_deliveries_total", CONFIRMED, "outcome=\"dead\""))
                    .isZero();

            shop.order("tea");
            shop.order("tea");
            shop.order("poison");

            awaitFigure(server, 3, "outbox_messages_stored_total", "event_type=\"order.placed\"");
            awaitFigure(server, 3, "outbox_deliveries_total", SHIPPED, "outcome=\"success\"");
            awaitFigure(server, 2, "outbox_deliveries_total", CONFIRMED, "outcome=\"success\"");
            awaitFigure(server, 1, "outbox_deliveries_total", CONFIRMED, "outcome=\"dead\"");
            awaitFigure(server, 4, "outbox_deliveries_total", CONFIRMED, "outcome=\"retry\"");
            awaitFigure(server, 1, "outbox_backlog", "state=\"dead\"");
            awaitFigure(server, 0, "outbox_backlog", "state=\"ready\"");
            awaitFigure(server, 0, "outbox_backlog_oldest_age_seconds");
            assertThat(figure(server, "outbox_blocked_aggregates")).isZero();
            assertThat(figure(server, "outbox_delivery_lag_seconds_count", SHIPPED))
                    .isEqualTo(3);
            assertThat(figure(server, "messaging_process_duration_seconds_count", CONFIRMED, "error_type=\"none\""))
                    .isEqualTo(2);
            assertThat(linesOf(server, "outbox_delivery_lag"))
                    .as("buckets")
                    .anyMatch(line -> line.contains("le=\"0.25\""));
            assertThat(figure(server, "outbox_relay_stalled")).isZero();
        }
    }

    private void awaitFigure(ApplicationServer server, double wanted, String name, String... labels) {
        Await.until(
                name + List.of(labels) + " is " + wanted,
                60,
                () -> figure(server, name, labels) == wanted,
                () -> linesOf(server, name));
    }

    /** NaN if there is no such series. */
    private double figure(ApplicationServer server, String name, String... labels) {
        return linesOf(server, name).stream()
                .filter(line -> line.startsWith(name + "{") && Stream.of(labels).allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElse(Double.NaN);
    }

    private List<String> linesOf(ApplicationServer server, String name) {
        try {
            HttpRequest request = HttpRequest.newBuilder(server.metricsAddress())
                    .timeout(Duration.ofSeconds(30))
                    .header("Accept", "text/plain")
                    .build();
            return http.send(request, HttpResponse.BodyHandlers.ofLines())
                    .body()
                    .filter(line -> line.startsWith(name))
                    .toList();
        } catch (IOException e) {
            return List.of(e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
