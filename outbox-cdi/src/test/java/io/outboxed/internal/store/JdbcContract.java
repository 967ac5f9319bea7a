package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.relay.Await;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** What needs a real database. */
public interface JdbcContract extends StoreContract {
    JdbcFixture jdbc();

    /** Until each of these calls waits for a lock that another session has. */
    default void awaitLockWait(CompletableFuture<?>... calls) {
        Await.until(
                "a lock is waited for",
                () -> Arrays.stream(calls).anyMatch(CompletableFuture::isDone)
                        || LockWaits.count(jdbc().admin, jdbc().dialect()) >= calls.length);
        assertThat(calls).as("it waits").noneMatch(CompletableFuture::isDone);
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
