package io.outboxed.internal.relay.workers;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;

/**
 * Calls whose end could not be reported because of an error. It is probably an OutOfMemoryError, so to keep one takes no
 * memory. Used by any thread.
 */
final class UnreportedCalls {
    private final BlockingQueue<Call> kept;

    /** @param most the number of calls that can be under way */
    UnreportedCalls(int most) {
        this.kept = new ArrayBlockingQueue<>(most);
    }

    void keep(Call call) {
        kept.offer(call);
    }

    /** Those that can't be reported now either are kept. */
    void report(Consumer<Call> report) {
        for (Call call = kept.poll(); call != null; call = kept.poll()) {
            boolean reported = false;
            try {
                report.accept(call);
                reported = true;
            } finally {
                if (!reported) {
                    keep(call);
                }
            }
        }
    }
}
