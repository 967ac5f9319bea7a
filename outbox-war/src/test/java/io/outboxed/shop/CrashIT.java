package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.servers.database.RealDatabase;
import io.outboxed.shop.Shop.Answer;
import io.outboxed.shop.Shop.NoAnswerException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Test;

/** The server's process is killed twice, with orders being placed and thousands of messages on their way. */
class CrashIT {
    private static final int CUSTOMERS = 8;
    private static final int ANSWERED_BEFORE_EACH_KILL = 1_500;

    @Test
    void confirmed_orders_survive_kills_of_the_server_and_ship_exactly_once() throws SQLException {
        try (RealDatabase real = TestDatabase.real()) {
            TestDatabase database = TestDatabase.of(real);
            Set<Long> answered = new TreeSet<>();
            answered.addAll(placeUntilKilled("crash-1", database));
            answered.addAll(placeUntilKilled("crash-2", database));
            try (ShopServer server = ShopServer.start("crash-3", database).ready()) {
                server.shop().awaitQuiet(240);
                server.stop();
            }
            try (Connection connection = DriverManager.getConnection(real.url(), real.user(), real.password())) {
                check(answered, connection);
            }
        }
    }

    /** Customers order all the time; the server is killed in the middle. What they got a 201 for is returned. */
    private static Set<Long> placeUntilKilled(String log, TestDatabase database) {
        Set<Long> answered = new ConcurrentSkipListSet<>();
        try (ShopServer server = ShopServer.start(log, database).ready()) {
            List<Thread> customers = new ArrayList<>();
            for (int i = 0; i < CUSTOMERS; i++) {
                Thread customer = new Thread(() -> orderUntilTheServerIsGone(server.shop(), answered), "customer " + i);
                customer.start();
                customers.add(customer);
            }
            Await.until(
                    ANSWERED_BEFORE_EACH_KILL + " orders are answered",
                    180,
                    () -> answered.size() >= ANSWERED_BEFORE_EACH_KILL,
                    answered::size);
            server.kill();
            Await.until("every customer noticed", 90, () -> customers.stream().noneMatch(Thread::isAlive));
        }
        return answered;
    }

    private static void orderUntilTheServerIsGone(Shop shop, Set<Long> answered) {
        try {
            while (true) {
                Answer answer = shop.tryToOrder("tea");
                if (answer.status() == 201) {
                    answered.add(answer.json().getJsonNumber("id").longValueExact());
                }
            }
        } catch (NoAnswerException killed) {
            // this customer's last order may have been stored or not: it was never confirmed
        }
    }

    private static void check(Set<Long> answered, Connection connection) throws SQLException {
        Set<Long> orders = ids(connection, "SELECT id FROM shop_order");
        System.out.println(answered.size() + " orders were answered, " + orders.size() + " exist");
        assertThat(orders).as("orders that exist").containsAll(answered);
        assertThat(ids(connection, "SELECT id FROM shop_order WHERE status <> 'SHIPPED'"))
                .as("orders not shipped")
                .isEmpty();
        assertThat(ids(
                        connection,
                        "SELECT o.id FROM shop_order o LEFT JOIN shop_shipment s ON s.order_id = o.id"
                                + " GROUP BY o.id HAVING COUNT(s.id) <> 1"))
                .as("orders without exactly one shipment")
                .isEmpty();
        assertThat(ids(connection, "SELECT id FROM shop_order WHERE id NOT IN (SELECT order_id FROM shop_mail)"))
                .as("orders without a mail")
                .isEmpty();
        assertThat(ids(
                        connection,
                        "SELECT order_id FROM shop_shipment WHERE order_id NOT IN (SELECT id FROM shop_order)"))
                .as("shipments without an order")
                .isEmpty();
        assertThat(
                        ids(
                                connection,
                                "SELECT COUNT(*) FROM outbox_message UNION ALL SELECT COUNT(*) FROM outbox_dead"
                                        + " UNION ALL SELECT COUNT(*) FROM outbox_delivery UNION ALL SELECT COUNT(*) FROM outbox_lane"))
                .as("rows left in the outbox")
                .containsOnly(0L);
    }

    private static Set<Long> ids(Connection connection, String query) throws SQLException {
        Set<Long> ids = new TreeSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }
}
