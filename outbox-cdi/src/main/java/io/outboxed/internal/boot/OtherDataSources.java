package io.outboxed.internal.boot;

import io.outboxed.OutboxException;
import io.outboxed.internal.boot.PersistenceUnits.Unit;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.schema.JtaProbe;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/**
 * Refuses persistence units whose data source can't share a transaction with that of the outbox: a method that changes
 * their entities and publishes an event would fail, with a message of the server that names neither. With a data source
 * to the same database that is outside JTA, it would be worse: the changes would stay when the event is rolled back.
 */
final class OtherDataSources {
    private static final String DEFAULT = "java:comp/DefaultDataSource";

    private final DataSource outbox;
    private final String outboxName;
    private final Set<String> independentUnits;
    private final RolledBackTransaction transaction;
    private final JtaProbe probe;

    OtherDataSources(
            DataSource outbox,
            String outboxName,
            Set<String> independentUnits,
            RolledBackTransaction transaction,
            JtaProbe probe) {
        this.outbox = outbox;
        this.outboxName = outboxName;
        this.independentUnits = independentUnits;
        this.transaction = transaction;
        this.probe = probe;
    }

    /** @throws OutboxException that names all such units */
    void check(ClassLoader application) {
        List<Unit> units;
        try {
            units = PersistenceUnits.of(application);
        } catch (IOException e) {
            OutboxLog.unitsNotRead(e);
            return;
        }
        Set<String> unknown = new TreeSet<>(independentUnits);
        Map<String, Exception> refused = new LinkedHashMap<>();
        for (Unit unit : units) {
            String name = unit.dataSource() == null ? DEFAULT : unit.dataSource();
            unknown.remove(unit.name());
            if (unit.jta() && !independentUnits.contains(unit.name()) && !name.equals(outboxName)) {
                lookUp(name)
                        .flatMap(other -> refusal(name, other))
                        .ifPresent(why -> refused.put(unit.name() + " on " + name, why));
            }
        }
        unknown.forEach(OutboxLog::unknownUnit);
        if (!refused.isEmpty()) {
            throw refused(refused);
        }
    }

    private OutboxException refused(Map<String, Exception> units) {
        String reasons = units.entrySet().stream()
                .map(unit -> unit.getKey() + " (" + unit.getValue() + ")")
                .collect(Collectors.joining(", "));
        return new OutboxException(
                "OUTBOX-0317",
                "the data sources of these persistence units can't be part of a transaction with " + outboxName + ": "
                        + reasons
                        + ". A method that changes their entities and stores an event would fail, or its changes"
                        + " would stay when it is rolled back. Nothing was changed. Set " + outboxName
                        + " as their jta-data-source, so that business data and events"
                        + " are in one database; or make the data sources XA; or, if no transaction of a unit publishes"
                        + " events, add its name to outbox.datasource.independent-units.",
                units.values().iterator().next());
    }

    /** One that does not exist is reported by the server. */
    private static Optional<DataSource> lookUp(String name) {
        try {
            return Optional.of((DataSource) new InitialContext().lookup(name));
        } catch (NamingException | ClassCastException e) {
            return Optional.empty();
        }
    }

    /** Why both can't take part in one transaction; empty if they can, or if one of the databases is down. */
    private Optional<Exception> refusal(String name, DataSource other) {
        if (failure(() -> use(other)).isPresent()) {
            return Optional.empty();
        }
        if (isOutsideJta(name, other)) {
            return Optional.of(new IllegalStateException("it is outside JTA: a row written on it survived a rollback"));
        }
        return failure(() -> {
                    use(outbox);
                    use(other);
                })
                .filter(why -> failure(() -> use(outbox)).isEmpty()
                        && failure(() -> use(other)).isEmpty());
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

    /** Only for one that leads to the database of the outbox, as the pool behind it may. */
    private boolean isOutsideJta(String name, DataSource other) {
        return probe.isOutsideJta(
                name,
                write -> transaction.run(() -> {
                    try (Connection connection = other.getConnection()) {
                        write.on(connection);
                    }
                }));
    }
}
