package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.servers.database.RealDatabase;
import io.outboxed.shop.Shop.Answer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A real database is down when the shop starts, or is killed later: the shop says so, and recovers by itself. */
class OutageIT {

    /** Its outbox is in another schema, which the start can't ask the database about either. */
    @Test
    void a_shop_whose_database_is_down_at_the_start_says_so_and_works_once_it_is_up() throws SQLException {
        try (RealDatabase real = TestDatabase.real()) {
            run(real, "CREATE SCHEMA outboxed");
            real.kill();
            try (ShopServer server = ShopServer.start(
                            "database-down-at-start", TestDatabase.of(real), "-Doutbox.table-prefix=outboxed.shop_")
                    .ready()) {
                Answer refused = server.shop().tryToOrder("tea");
                assertThat(refused.status()).as(refused.body()).isEqualTo(503);
                assertThat(refused.mediaType()).contains("application/problem+json");

                real.restart();

                Await.until(
                        "an order is taken",
                        60,
                        () -> server.shop().tryToOrder("tea").status() == 201);
                long order = server.shop().order("tea");
                Await.until(
                        "it is shipped", 60, () -> server.shop().status(order).equals("SHIPPED"));
                run(real, "DELETE FROM outboxed.shop_message");
                assertThatThrownBy(() -> run(real, "DELETE FROM outbox_message"))
                        .as("the table with the default name")
                        .isInstanceOf(SQLException.class);
            }
        }
    }

    private static void run(RealDatabase database, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.url(), database.user(), database.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void a_database_killed_during_work_loses_and_duplicates_nothing() {
        try (RealDatabase real = TestDatabase.real();
                ShopServer server = ShopServer.start("database-killed", TestDatabase.of(real))
                        .ready()) {
            List<Long> accepted = new ArrayList<>(place(server.shop(), 200));

            real.kill();
            Await.until(
                    "orders are refused",
                    60,
                    () -> server.shop().tryToOrder("tea").status() == 503);
            real.restart();
            Await.until(
                    "orders are taken",
                    60,
                    () -> server.shop().tryToOrder("tea").status() == 201);
            accepted.addAll(place(server.shop(), 50));

            shippedOnceAndConfirmed(server.shop(), accepted);
        }
    }

    private static List<Long> place(Shop shop, int orders) {
        return IntStream.range(0, orders)
                .parallel()
                .mapToObj(n -> shop.order("tea"))
                .toList();
    }

    private static void shippedOnceAndConfirmed(Shop shop, List<Long> accepted) {
        shop.awaitQuiet(120);
        assertThat(accepted).allSatisfy(order -> {
            assertThat(shop.parcels(order)).containsExactly("OUT");
            assertThat(shop.mails(order)).isNotEmpty();
        });
        assertThat(shop.count("deadLetters")).isZero();
    }
}
