package io.outboxed.internal.boot;

import io.outboxed.internal.capture.JpaUnit;
import io.outboxed.internal.schema.JtaProbe;
import java.sql.Connection;
import javax.sql.DataSource;

/** Checks that events and deliveries are written in JTA transactions. */
final class RollbackCheck {
    private static final String DATA_SOURCE = "the data source java:app/jdbc/outbox";

    private final DataSource pool;
    private final JpaUnit unit;
    private final RolledBackTransaction transaction;

    RollbackCheck(DataSource pool, JpaUnit unit, RolledBackTransaction transaction) {
        this.pool = pool;
        this.unit = unit;
        this.transaction = transaction;
    }

    /**
     * Each way uses its own transaction: if only one of them took part in JTA, they would wait for each other's lock.
     */
    void check(JtaProbe probe) {
        probe.check(
                DATA_SOURCE,
                write -> transaction.run(() -> {
                    try (Connection connection = pool.getConnection()) {
                        write.on(connection);
                    }
                }));
        probe.check(
                "the persistence unit outbox over " + DATA_SOURCE,
                write -> transaction.run(() -> unit.onConnection(write)));
    }
}
