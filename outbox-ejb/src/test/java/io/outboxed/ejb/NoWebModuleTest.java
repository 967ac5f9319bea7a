package io.outboxed.ejb;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.boot.RelayReporter;
import io.outboxed.internal.boot.RelayStarter;
import io.outboxed.internal.boot.RolledBackTransaction;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The relay has no threads until the listener of the web module is called, which some applications lack. */
class NoWebModuleTest {
    private static final long A_SECOND = TimeUnit.SECONDS.toNanos(1);

    private int checks;
    private long nanos;

    private static final class Prepared extends RelayStarter {
        @Override
        public synchronized void prepare(RolledBackTransaction transaction) {}

        @Override
        public boolean relays() {
            return true;
        }
    }

    private final class Checks extends RelayReporter {
        @Override
        public void check() {
            checks++;
        }
    }

    @Test
    void the_database_is_checked_all_the_same() {
        RelaySupervisor supervisor = new RelaySupervisor(() -> nanos += A_SECOND, System::currentTimeMillis);
        supervisor.threads = new RelayThreads();
        supervisor.starter = new Prepared();
        supervisor.reporter = new Checks();

        supervisor.tick();
        supervisor.tick();

        assertThat(checks).isEqualTo(2);
    }
}
