package io.outboxed.internal.relay;

import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Reports the beginning and the end of an outage once each, however many attempts fail in between. Used by a single
 * thread.
 */
public final class OutageLog {
    private final Consumer<Throwable> begins;
    private final IntConsumer ends;
    private int failures;

    /**
     * @param begins receives the first failure
     * @param ends receives the number of failures
     */
    public OutageLog(Consumer<Throwable> begins, IntConsumer ends) {
        this.begins = begins;
        this.ends = ends;
    }

    public void failed(Throwable cause) {
        if (failures++ == 0) {
            begins.accept(cause);
        }
    }

    public void worked() {
        if (failures > 0) {
            ends.accept(failures);
            failures = 0;
        }
    }
}
