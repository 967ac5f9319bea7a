package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.RealMySql;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The application is replaced in a running server while its mails wait for their next try: a second copy is deployed beside
 * it, the first one undeployed and deployed again, the second one undeployed.
 */
class RedeployIT {
    private static final int ORDERS = 100;

    @Test
    void what_waits_while_the_application_is_replaced_is_delivered_once() {
        try (RealMySql mysql = RealMySql.start()) {
            TestDatabase database = TestDatabase.of(mysql);
            List<Long> orders = orderWithoutRelay(database);
            String war = System.getProperty("it.war");
            List<String> replacing = List.of(
                    "deploy --contextroot second --name second " + war,
                    "undeploy outbox",
                    "deploy --contextroot outbox --name outbox " + war,
                    "undeploy second");
            List<String> slowRetries = List.of(
                    "-Doutbox.retry.initial-delay=20s", "-Doutbox.retry.max-delay=20s", "-Doutbox.retry.jitter=false");
            try (ShopServer server = ShopServer.start("redeploy", database, slowRetries, replacing)) {
                Await.until(
                        "the application was replaced",
                        300,
                        () -> server.log().contains("Boot Command undeploy returned")
                                && server.log().split("OUTBOX-0407", -1).length > 2,
                        server::log);
                server.ready().shop().awaitQuiet(180);

                assertThat(orders).allSatisfy(order -> {
                    assertThat(server.shop().parcels(order)).containsExactly("OUT");
                    assertThat(server.shop().mails(order)).hasSize(1);
                });
                assertThat(server.shop().count("deadLetters")).isZero();
                assertThat(server.log())
                        .as("nodes that had to be declared dead instead of leaving")
                        .doesNotContain("OUTBOX-0403");
            }
        }
    }

    private static List<Long> orderWithoutRelay(TestDatabase database) {
        try (ShopServer server = ShopServer.start("redeploy-before", database, "-Doutbox.relay.enabled=false")
                .ready()) {
            List<Long> orders = IntStream.range(0, ORDERS)
                    .mapToObj(n -> server.shop().order("flaky"))
                    .toList();
            server.stop();
            return orders;
        }
    }
}
