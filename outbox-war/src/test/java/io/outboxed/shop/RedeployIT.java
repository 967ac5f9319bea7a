package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.database.RealDatabase;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The application is replaced in a running server while its mails wait for their next try: a second copy is deployed
 * beside it, the first one undeployed and deployed again, the second one undeployed.
 */
class RedeployIT {
    private static final int ORDERS = 100;
    private static final String[] SLOW_RETRIES = {
        "-Doutbox.retry.initial-delay=12s", "-Doutbox.retry.max-delay=12s", "-Doutbox.retry.jitter=false"
    };

    @Test
    void what_waits_while_the_application_is_replaced_is_delivered_once() {
        try (RealDatabase real = TestDatabase.real()) {
            TestDatabase database = TestDatabase.of(real);
            List<Long> orders = orderWithoutRelay(database);
            try (ShopServer server = ShopServer.startAndReplace("redeploy", database, SLOW_RETRIES)) {
                server.awaitReplaced().ready().shop().awaitQuiet(180);

                assertThat(orders).allSatisfy(order -> {
                    assertThat(server.shop().parcels(order)).containsExactly("OUT");
                    assertThat(server.shop().mails(order)).hasSize(1);
                });
                assertThat(server.shop().count("deadLetters")).isZero();
                assertThat(server.log().split("OUTBOX-0407", -1))
                        .as("log around the nodes that left")
                        .hasSize(3);
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
