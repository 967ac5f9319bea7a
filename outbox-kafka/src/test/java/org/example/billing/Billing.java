package org.example.billing;

import io.outboxed.Inbox;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** One bill for each event, however often it arrives. */
@ApplicationScoped
public class Billing {
    @Inject
    Inbox inbox;

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    @Transactional
    public void bill(String eventId, String order, String details) {
        inbox.once(eventId, "billing", () -> insert(order, details));
    }

    private void insert(String order, String details) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement bill =
                        connection.prepareStatement("INSERT INTO bill (order_id, details) VALUES (?, ?)")) {
            bill.setString(1, order);
            bill.setString(2, details);
            bill.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException("the bill of " + order + " could not be stored", e);
        }
    }
}
