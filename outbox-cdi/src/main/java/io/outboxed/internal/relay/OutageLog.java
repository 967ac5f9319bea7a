package io.outboxed.internal.relay;

import java.util.function.Consumer;
import java.util.function.IntConsumer;

/** Says once that something fails and once that it works again, however often it is tried in between. One thread's own. */
public final class OutageLog {
    private final Consumer<Throwable> begins;
    private final IntConsumer ends;
    private int failures;

    /** @param ends gets the number of failures in between */
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
