package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The shop with each way to claim aggregates that is not the default, on a database that has it. */
class ClaimIT {

    @Test
    void with_locks_events_are_delivered_once_and_in_order() throws Exception {
        cancelsOrders("advisory-lock", "advisory locks, one for each aggregate in memory");
    }

    @Test
    void with_rows_events_are_delivered_once_and_in_order() throws Exception {
        cancelsOrders("row-lock", "one row for each aggregate in memory");
    }

    private static void cancelsOrders(String claim, String reported) throws Exception {
        try (TestDatabase database = TestDatabase.ofThisRun();
                ShopServer server = ShopServer.start("claim-" + claim, database, "-Doutbox.relay.claim=" + claim)
                        .ready()) {
            Shop shop = server.shop();
            List<Long> orders =
                    IntStream.range(0, 50).mapToObj(n -> cancelled(shop)).toList();

            shop.awaitQuiet(60);
            assertThat(orders).allSatisfy(order -> {
                assertThat(shop.mails(order)).containsExactly("We have your order", "Your order is cancelled");
                assertThat(shop.parcels(order)).isIn(List.of(), List.of("OUT", "BACK"));
            });
            assertThat(server.log()).containsPattern("locking +" + reported);
        }
    }

    private static long cancelled(Shop shop) {
        long order = shop.order("tea");
        assertThat(shop.post("shop/orders/" + order + "/cancel", "").status()).isEqualTo(200);
        return order;
    }
}
