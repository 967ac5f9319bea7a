package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is pending when the server ends is delivered by the next one; on the demo's kind of database, a file. */
class RestartIT {

    @Test
    void work_that_is_pending_at_a_stop_and_at_a_kill_is_done_after_the_next_start(@TempDir Path directory) {
        TestDatabase database = TestDatabase.inFile(directory.resolve("outbox"));
        List<Long> orders = new ArrayList<>();
        try (ShopServer server = ShopServer.start("relay-off", database, "-Doutbox.relay.enabled=false")
                .ready()) {
            orders.addAll(place(server.shop()));
            assertThat(server.shop().count("outbox")).isEqualTo(100);
            assertThat(server.shop().count("shipments")).isZero();
            server.stop();
        }
        try (ShopServer server = ShopServer.start("relay-off-again", database, "-Doutbox.relay.enabled=false")
                .ready()) {
            orders.addAll(place(server.shop()));
            server.kill();
        }

        try (ShopServer server = ShopServer.start("relay-on", database).ready()) {
            server.shop().awaitQuiet(60);
            assertThat(orders).allSatisfy(order -> {
                assertThat(server.shop().parcels(order)).containsExactly("OUT");
                assertThat(server.shop().mails(order)).hasSize(1);
            });
        }
    }

    private static List<Long> place(Shop shop) {
        return IntStream.range(0, 100).mapToObj(n -> shop.order("tea")).toList();
    }
}
