package io.outboxed.internal.boot;

import io.outboxed.internal.boot.PersistenceUnits.Unit;
import io.outboxed.internal.log.OutboxLog;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/**
 * Warns of persistence units whose data source can't share a transaction with that of the outbox: a method that changes
 * their entities and publishes an event would fail, with a message of the server that names neither.
 */
final class OtherDataSources {
    private static final String DEFAULT = "java:comp/DefaultDataSource";

    private final DataSource outbox;
    private final String outboxName;
    private final RolledBackTransaction transaction;

    OtherDataSources(DataSource outbox, String outboxName, RolledBackTransaction transaction) {
        this.outbox = outbox;
        this.outboxName = outboxName;
        this.transaction = transaction;
    }

    void check(ClassLoader application) {
        List<Unit> units;
        try {
            units = PersistenceUnits.of(application);
        } catch (IOException e) {
            OutboxLog.unitsNotRead(e);
            return;
        }
        for (Unit unit : units) {
            String name = unit.dataSource() == null ? DEFAULT : unit.dataSource();
            if (!name.equals(outboxName)) {
                lookUp(name).flatMap(this::refusal).ifPresent(why -> OutboxLog.otherDataSource(unit.name(), name, why));
            }
        }
    }

    /** One that does not exist is reported by the server. */
    private static Optional<DataSource> lookUp(String name) {
        try {
            return Optional.of((DataSource) new InitialContext().lookup(name));
        } catch (NamingException | ClassCastException e) {
            return Optional.empty();
        }
    }

    /** Why both can't take part in one transaction; empty if they can, or if the other one's database is down. */
    private Optional<Exception> refusal(DataSource other) {
        if (failure(() -> use(other)).isPresent()) {
            return Optional.empty();
        }
        return failure(() -> {
            use(outbox);
            use(other);
        });
    }

    private Optional<Exception> failure(RolledBackTransaction.Work work) {
        try {
            transaction.run(work);
            return Optional.empty();
        } catch (Exception e) {
            return Optional.of(e);
        }
    }

    /** Open Liberty enlists a connection when its first statement is created. */
    private static void use(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection()) {
            connection.createStatement().close();
        }
    }
}
