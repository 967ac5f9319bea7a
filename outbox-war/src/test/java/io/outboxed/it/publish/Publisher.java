package io.outboxed.it.publish;

import io.outboxed.Outbox;
import io.outboxed.PublishOptions;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;

/** Each method is a transaction of its own. */
@ApplicationScoped
@Transactional
public class Publisher {

    @Inject
    Outbox outbox;

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    public UUID publish(Object event, PublishOptions options) {
        return outbox.publish(event, options);
    }

    /** @param meanwhile runs before the transaction ends */
    public UUID publish(Object event, PublishOptions options, Runnable meanwhile) {
        UUID id = outbox.publish(event, options);
        meanwhile.run();
        return id;
    }

    /** Whether another transaction waits for the key of the caller's. All but PostgreSQL only say what it does. */
    public boolean isWaitedFor() {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet waiting = statement.executeQuery(
                        switch (connection.getMetaData().getDatabaseProductName()) {
                            case "PostgreSQL" ->
                                "SELECT 1 FROM pg_locks WHERE NOT granted"
                                        + " AND pg_backend_pid() = ANY(pg_blocking_pids(pid))";
                            case "H2" ->
                                "SELECT 1 FROM INFORMATION_SCHEMA.SESSIONS WHERE SESSION_ID <> SESSION_ID()"
                                        + " AND EXECUTING_STATEMENT LIKE 'INSERT%outbox_inbox%'";
                            default ->
                                "SELECT 1 FROM information_schema.processlist WHERE id <> CONNECTION_ID()"
                                        + " AND info LIKE '%INSERT%outbox_inbox%'";
                        })) {
            return waiting.next();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public UUID publishAndCancel(Object event) {
        UUID id = outbox.publish(event);
        if (!outbox.cancel(id)) {
            throw new IllegalStateException("an event of this transaction was not cancelled");
        }
        return id;
    }

    public boolean cancel(UUID id) {
        return outbox.cancel(id);
    }

    /** @param meanwhile runs before the transaction ends, if the event is cancelled; what it throws rolls back */
    public boolean cancel(UUID id, Runnable meanwhile) {
        boolean cancelled = outbox.cancel(id);
        if (cancelled) {
            meanwhile.run();
        }
        return cancelled;
    }
}
