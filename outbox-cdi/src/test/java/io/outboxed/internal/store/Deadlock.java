package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.SqlFailure;
import java.sql.Connection;
import java.util.concurrent.CompletableFuture;

/** Two transactions that need each other's rows; the one that has changed less becomes the victim: the delivery's. */
final class Deadlock {
    private Deadlock() {}

    static void lose(JdbcDelivery delivery, JdbcFixture bench) throws Exception {
        try (Connection other = bench.open()) {
            other.setAutoCommit(false);
            Jdbc jdbc = new Jdbc(other, bench.dialect());
            jdbc.update("UPDATE effect SET amount = amount + 1 WHERE id > 10");
            jdbc.update("UPDATE effect SET amount = amount + 1 WHERE id = 2");
            delivery.run("UPDATE effect SET amount = amount + 1 WHERE id = 1");
            CompletableFuture<Integer> waiting =
                    JdbcContract.elsewhere(() -> jdbc.update("UPDATE effect SET amount = amount + 1 WHERE id = 1"));
            Throwable swallowed =
                    catchThrowable(() -> delivery.run("UPDATE effect SET amount = amount + 1 WHERE id = 2"));
            assertThat(SqlFailure.isRolledBack(swallowed)).as("%s", swallowed).isTrue();
            JdbcContract.result(waiting);
            other.rollback();
        }
    }
}
