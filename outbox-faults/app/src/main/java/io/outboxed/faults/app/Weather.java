package io.outboxed.faults.app;

import io.outboxed.PermanentFailureException;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The faults that the driver injects into the handlers of this node. */
@ApplicationScoped
public class Weather {
    private final AtomicInteger hanging = new AtomicInteger();
    private volatile long hangMillis;
    private volatile boolean cured;

    /** The next calls do not return for a while. */
    void hang(int calls, long millis) {
        hangMillis = millis;
        hanging.set(calls);
    }

    /** From now on no event is poison. */
    void cure() {
        cured = true;
    }

    void hangIfTold() {
        if (hanging.get() > 0 && hanging.getAndDecrement() > 0) {
            try {
                TimeUnit.MILLISECONDS.sleep(hangMillis);
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted while it hung", e);
            }
        }
    }

    /** @param flaky the trouble that makes the first attempt of this handler fail */
    void trouble(Trouble trouble, Trouble flaky, int attempt) {
        if (trouble == flaky && attempt == 1) {
            throw new IllegalStateException("flaky at its first try");
        }
    }

    void poison(Trouble trouble) {
        if (trouble == Trouble.CONDEMNED) {
            throw new PermanentFailureException("condemned");
        }
        if (trouble == Trouble.POISON && !cured) {
            throw new IllegalStateException("poison");
        }
    }
}
