package io.outboxed.ejb;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.boot.RelayExecutors;
import io.outboxed.internal.boot.RelayReporter;
import io.outboxed.internal.boot.RelayStarter;
import io.outboxed.internal.boot.RolledBackTransaction;
import io.outboxed.internal.relay.node.RelayNode;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The application ends while its timer waits for a database that does not answer. */
@ExtendWith(RegisteredDrivers.class)
class StopDuringOutageTest {
    private static final long A_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch answer = new CountDownLatch(1);
    private boolean started;
    private long nanos;

    private final class SilentDatabase extends RelayStarter {
        @Override
        public synchronized void prepare(RolledBackTransaction transaction) {
            asked.countDown();
            try {
                answer.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public boolean relays() {
            return true;
        }

        @Override
        public RelayNode start(RelayExecutors executors) {
            started = true;
            return null;
        }
    }

    private static final class Threads extends RelayThreads {
        @Override
        Optional<RelayExecutors> executors() {
            return Optional.of(new RelayExecutors(Runnable::run, Runnable::run, "this thread"));
        }
    }

    private static final class NoReport extends RelayReporter {
        @Override
        public void stopped() {}
    }

    @Test
    @Timeout(60)
    void it_does_not_wait_for_the_answer_and_nothing_is_started_by_it() throws Exception {
        RelaySupervisor supervisor = new RelaySupervisor(() -> nanos += A_SECOND, System::currentTimeMillis);
        supervisor.threads = new Threads();
        supervisor.starter = new SilentDatabase();
        supervisor.reporter = new NoReport();
        CompletableFuture<Void> tick = CompletableFuture.runAsync(supervisor::tick);
        assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();

        supervisor.end();

        answer.countDown();
        tick.get(30, TimeUnit.SECONDS);
        assertThat(started).isFalse();
    }
}
