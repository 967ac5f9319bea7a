package io.outboxed.it.early;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Its handler needs what {@link Migration} does. */
@ApplicationScoped
public class Chick {
    private final List<Boolean> calls = new CopyOnWriteArrayList<>();
    private final CountDownLatch called = new CountDownLatch(1);
    private volatile boolean migrated;

    void migrated() {
        migrated = true;
    }

    void hatch(@Observes Hatched event) {
        calls.add(migrated);
        called.countDown();
    }

    /** Waits until the handler is called. @return false if it is not called in this time */
    public boolean isCalledWithin(Duration limit) {
        try {
            return called.await(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** For each call of the handler, whether the migration had ended. */
    public List<Boolean> calls() {
        return calls;
    }
}
