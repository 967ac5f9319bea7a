package io.outboxed.internal.relay;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfig.Handler;
import io.outboxed.internal.config.OutboxConfig.Relay;
import io.outboxed.internal.config.OutboxConfig.Retry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** How a {@code LiveNode} is configured, and a handler that hangs. */
abstract class LiveNodeFixture {
    static final Outcome DONE = new Outcome.Done(false);
    private static final Retry SOON = new Retry(10, Duration.ofMillis(1), 1, Duration.ofMillis(1), false);

    /** @param timeout of a handler's call */
    static OutboxConfig config(int workers, Duration timeout) {
        return OutboxConfig.DEFAULTS
                .withRelay(Relay.DEFAULTS.withWorkers(workers).withLease(Duration.ofDays(1)))
                .withHandler(new Handler(timeout, 0, Duration.ofSeconds(5), 128))
                .withRetry(SOON);
    }

    /** Ignores interrupts. */
    static Outcome hang(CountDownLatch released) {
        boolean interrupted = false;
        while (true) {
            try {
                released.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        return interrupted ? new Outcome.Failed(new IllegalStateException("interrupted")) : DONE;
    }
}
