package io.outboxed.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.ApplicationServer;
import io.outboxed.servers.ServerQueue;
import io.outboxed.servers.ServerSetup;
import io.outboxed.servers.process.FreePort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** In a full server: its own broker, connection pool, JNDI names and default connection factory. */
class JmsServerIT {
    private static final Path DIRECTORY = Path.of(System.getProperty("it.directory"));
    private static final int AGGREGATES = 20;
    private static final int OF_EACH = 10;

    @Test
    void what_is_stored_reaches_the_queue_of_the_server_and_a_missing_name_is_reported() throws Exception {
        ServerQueue queue = new ServerQueue("orders", FreePort.any());
        try (StoredEvents stored = new StoredEvents();
                ApplicationServer server = ApplicationServer.of(setup("forwards")
                        .with(queue)
                        .with("-Doutbox.jms.route.\"order.*\"=java:/jms/queue/orders")
                        .with("-Doutbox.jms.route.\"late.*\"=java:/jms/queue/late"))) {
            stored.publish(AGGREGATES, 1, OF_EACH);
            server.start(environment(stored)).awaitStarted();
            Patience.until("all events are forwarded: " + server.log(), () -> stored.left() == 0);

            assertThat(stored.dead()).isZero();
            QueueHistory history = QueueHistory.of(
                    RealArtemis.messages("tcp://127.0.0.1:" + queue.port(), "jms.queue." + queue.name()));
            assertThat(history).isEqualTo(new QueueHistory(AGGREGATES * OF_EACH, 0, List.of(), List.of()));
            assertThat(server.logged())
                    .contains("OUTBOX-0895 events can't be forwarded by JMS")
                    .contains("java:/jms/queue/late is not in JNDI. Define it in the server, or change"
                            + " outbox.jms.route.*");
        }
    }

    @Test
    void everything_that_is_wrong_in_the_configuration_is_named_when_it_is_deployed() throws Exception {
        try (StoredEvents stored = new StoredEvents();
                ApplicationServer server = ApplicationServer.of(setup("refused").with("-Doutbox.jms.unrouted=drop"))) {
            server.start(environment(stored)).awaitStarted();

            assertThat(server.logged())
                    .contains("OUTBOX-0820 2 settings are wrong for JMS; nothing was deployed:")
                    .contains("outbox.jms.route.*: no route is set, so nothing would be forwarded")
                    .contains("outbox.jms.unrouted: expected dead-letter|skip, got drop");
        }
    }

    private static Map<String, String> environment(StoredEvents stored) {
        return Map.of(
                "OUTBOX_DATASOURCE_URL", stored.url(),
                "OUTBOX_DATASOURCE_USER", StoredEvents.USER,
                "OUTBOX_DATASOURCE_PASSWORD", StoredEvents.USER);
    }

    private static ServerSetup setup(String test) throws IOException {
        return ServerSetup.of(
                "wildfly",
                Path.of(System.getProperty("it.distribution")),
                ForwarderWar.in(DIRECTORY.resolve("war")),
                DIRECTORY.resolve(test));
    }
}
