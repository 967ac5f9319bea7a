package io.outboxed.it.any;

import io.outboxed.AnyEvent;
import io.outboxed.EventType;
import io.outboxed.Outbox;
import io.outboxed.OutboxMessage;
import io.outboxed.PublishOptions;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;

/** Publishes, and observes every event. */
@ApplicationScoped
public class Everything {
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @Inject
    Outbox outbox;

    @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
    TransactionSynchronizationRegistry transactions;

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    @Transactional
    public void publish(String type, String text) {
        outbox.publish(text, PublishOptions.none().type(type));
    }

    void inTransaction(@Observes @AnyEvent OutboxMessage message) {
        boolean active = transactions.getTransactionStatus() == Status.STATUS_ACTIVE;
        seen.add(message.type() + (active ? " in" : " without") + " a transaction");
    }

    @Transactional(TxType.NOT_SUPPORTED)
    void outside(@Observes @AnyEvent OutboxMessage message) {
        seen.add(message.type() + " outside");
    }

    @Transactional(TxType.NOT_SUPPORTED)
    void ofOneType(@Observes @EventType("it.unreachable") OutboxMessage message) {
        seen.add("attempt " + message.attempt());
        if (seen.stream().filter(each -> each.startsWith("attempt")).count() == 1) {
            throw new NotNow();
        }
    }

    public List<String> seen() {
        return List.copyOf(seen);
    }

    public int pending() {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from outbox_message")) {
            row.next();
            return row.getInt(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The tables are shared with other tests: without this, all their events would wait for these handlers. */
    public void retire() {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("update outbox_handler set retired = 1 where type = '*'");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
