package io.outboxed.internal.boot;

import io.outboxed.internal.capture.JpaUnit;
import io.outboxed.internal.schema.JtaProbe;
import jakarta.transaction.UserTransaction;
import java.sql.Connection;
import javax.naming.InitialContext;
import javax.sql.DataSource;

/** Checks that events and deliveries are written in JTA transactions. Only possible if the caller has none. */
final class RollbackCheck {
    private static final String DATA_SOURCE = "the data source java:app/jdbc/outbox";

    private final DataSource pool;
    private final JpaUnit unit;

    RollbackCheck(DataSource pool, JpaUnit unit) {
        this.pool = pool;
        this.unit = unit;
    }

    void check(JtaProbe probe) {
        probe.check(
                DATA_SOURCE,
                write -> rolledBack(() -> {
                    try (Connection connection = pool.getConnection()) {
                        write.on(connection);
                    }
                }));
        probe.check("the persistence unit outbox over " + DATA_SOURCE, write -> rolledBack(() -> unit.write(write)));
    }

    /**
     * Each way uses its own transaction: if only one of them took part in JTA, they would wait for each other's lock.
     */
    private static void rolledBack(Work work) throws Exception {
        UserTransaction transaction = (UserTransaction) new InitialContext().lookup("java:comp/UserTransaction");
        transaction.begin();
        try {
            work.run();
        } finally {
            transaction.rollback();
        }
    }

    private interface Work {
        void run() throws Exception;
    }
}
