package io.outboxed.internal.store;

import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Operations of the contract that need a real database. */
public interface JdbcContract extends StoreContract {
    JdbcFixture jdbc();

    /** Makes the database fail the delivery's transaction in a way that a handler could swallow. */
    void doom(JdbcDelivery delivery) throws Exception;

    /** A delivery that can be prepared. */
    default JdbcDelivery beginDoubtful() throws SQLException {
        return jdbc().begin();
    }

    /** Votes yes: the rest is up to a coordinator that does not answer. */
    default void prepare(JdbcDelivery delivery) throws SQLException {}

    /** The coordinator is back: commit. */
    default void commitPrepared(JdbcDelivery delivery) throws SQLException {
        delivery.commit();
    }

    static <T> CompletableFuture<T> elsewhere(Callable<T> work) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return work.call();
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    static <T> T result(CompletableFuture<T> future) throws Exception {
        return future.get(60, TimeUnit.SECONDS);
    }
}
