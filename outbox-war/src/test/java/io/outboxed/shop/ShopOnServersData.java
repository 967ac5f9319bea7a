package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.ApplicationServer;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The shop on a server that defines the data source, over the environment variables of the files in server-config. */
final class ShopOnServersData {

    private ShopOnServersData() {}

    static void start(ApplicationServer server, TestDatabase database) {
        server.start(Map.of(
                "JDBC_URL", database.url(),
                "JDBC_USER", database.user(),
                "JDBC_PASSWORD", database.password()));
    }

    static void shipsOrdersOnce(ApplicationServer server) {
        server.awaitStarted();
        Shop shop = Shop.at(server.port());
        Await.until("the WAR is deployed", 60, shop::deployed, server::logged);

        List<Long> orders = IntStream.range(0, 100)
                .mapToObj(n -> shop.order(n % 10 == 0 ? "flaky" : "tea"))
                .toList();

        shop.awaitQuiet(120);
        assertThat(orders).allSatisfy(order -> {
            assertThat(shop.parcels(order)).containsExactly("OUT");
            assertThat(shop.mails(order)).hasSize(1);
        });
        assertThat(server.logged()).contains("java:app/jdbc/outbox, defined by the server or the application");
    }
}
