package io.outboxed.faults.app;

import io.outboxed.Idempotent;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * What a handler outside the delivery's transaction writes to the same database, once however often it is called. A
 * second effect would be a second row: nothing is unique here.
 */
@ApplicationScoped
public class Receipts {

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    @Idempotent(receiver = "receipts")
    @Transactional(TxType.REQUIRES_NEW)
    public void write(@Idempotent.Id String id) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement insert = connection.prepareStatement("INSERT INTO faults_receipt (id) VALUES (?)")) {
            insert.setString(1, id);
            insert.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException("no receipt of " + id, e);
        }
    }
}
