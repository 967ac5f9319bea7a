package io.outboxed.shop;

import io.outboxed.shop.orders.OrderPlaced;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A handler that adds a row for each call. The shop's own one would not: an order is shipped only once. */
@ApplicationScoped
public class Effects {
    static final String TABLE = "effects";

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    void placed(@Observes OrderPlaced order) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO " + TABLE + " (order_id) VALUES (?)")) {
            insert.setLong(1, order.orderId());
            insert.executeUpdate();
        }
    }
}
