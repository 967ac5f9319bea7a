package io.outboxed.faults.app;

import io.outboxed.OutboxMessage;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A transactional handler. A second effect would be a second row: nothing is unique here. */
@ApplicationScoped
public class Ledger {

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    @Inject
    Journal journal;

    @Inject
    InjectedFaults faults;

    @Inject
    Ambush ambush;

    void deposited(@Observes Deposited event, OutboxMessage message) throws SQLException {
        book(event.account(), event.number(), event.id(), event.fault(), message);
    }

    void withdrawn(@Observes Withdrawn event, OutboxMessage message) throws SQLException {
        book(event.account(), event.number(), event.id(), event.fault(), message);
    }

    public void book(String account, long number, String id, HandlerFault fault, OutboxMessage message)
            throws SQLException {
        try (Journal.Call call = journal.begin("Ledger", id, account, number, message);
                Connection connection = dataSource.getConnection()) {
            faults.apply();
            update(
                    connection,
                    "INSERT INTO faults_effect (id, account, number, node, attempt) VALUES (?, ?, ?, ?, ?)",
                    id,
                    account,
                    number,
                    System.getProperty("faults.node"),
                    message.attempt());
            update(connection, "UPDATE faults_seen SET number = ? WHERE account = ?", number, account);
            faults.failFirstAttempt(fault, HandlerFault.FLAKY_EFFECT, message.attempt());
            ambush.pass("Ledger");
            call.succeeded();
        }
    }

    private static void update(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }
}
