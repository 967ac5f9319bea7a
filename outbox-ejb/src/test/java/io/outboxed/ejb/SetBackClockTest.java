package io.outboxed.ejb;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.boot.RelayReporter;
import io.outboxed.internal.boot.RelayStarter;
import io.outboxed.internal.boot.RolledBackTransaction;
import io.outboxed.internal.relay.node.RelayNode;
import jakarta.ejb.TimerService;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The server's timer waits by the wall clock: after that is set back, it is silent until the clock has caught up. */
class SetBackClockTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final List<String> done = new ArrayList<>();
    private long nanos = Long.MAX_VALUE - Duration.ofSeconds(2).toNanos();
    private long wallMillis = Duration.ofDays(20_000).toMillis();
    private final RelaySupervisor supervisor = new RelaySupervisor(() -> nanos, () -> wallMillis);
    private long timerDueAt;
    private Runnable check;

    private final class Starter extends RelayStarter {
        @Override
        public synchronized void prepare(RolledBackTransaction transaction) {}

        @Override
        public boolean relays() {
            return false;
        }
    }

    private final class Threads extends RelayThreads {
        @Override
        void checkedBy(Runnable often) {
            check = often;
        }

        @Override
        void supervise() {
            done.add("threads");
        }
    }

    private final class Reporter extends RelayReporter {
        @Override
        public void started(Optional<RelayNode> node, String onServer, String handlersRunOn) {
            done.add("started");
        }

        @Override
        public void tick(Optional<RelayNode> node) {
            done.add("node");
        }
    }

    SetBackClockTest() {
        supervisor.starter = new Starter();
        supervisor.threads = new Threads();
        supervisor.reporter = new Reporter();
        supervisor.server = new ServerName();
        supervisor.timers = (TimerService) Proxy.newProxyInstance(
                TimerService.class.getClassLoader(),
                new Class<?>[] {TimerService.class},
                (proxy, method, arguments) -> null);
        supervisor.begin();
        timerDueAt = wallMillis;
    }

    @Test
    void the_relay_starts_and_is_supervised_once_a_second_also_while_the_timer_is_silent() {
        wallMillis -= HOUR.toMillis();

        pass(Duration.ofMinutes(1));

        assertThat(done).contains("started").contains("node");
        assertThat(done.stream().filter("threads"::equals)).hasSizeBetween(59, 60);
    }

    @Test
    void once_the_clock_has_caught_up_only_the_timer_ticks() {
        pass(Duration.ofMinutes(1));
        wallMillis -= HOUR.toMillis();
        pass(HOUR);
        done.clear();

        pass(Duration.ofMinutes(1));

        assertThat(done.stream().filter("node"::equals)).hasSizeBetween(59, 61);
    }

    @Test
    void a_clock_that_is_wrong_does_not_matter_while_the_timer_ticks() {
        pass(Duration.ofMinutes(1));
        wallMillis -= HOUR.toMillis();
        timerDueAt = wallMillis;
        done.clear();

        pass(Duration.ofMinutes(1));

        assertThat(done.stream().filter("node"::equals)).hasSizeBetween(59, 61);
    }

    /** That of a suspended WildFly, whose executor must not be replaced because it rejects tasks. */
    @Test
    void a_timer_that_is_silent_while_the_clock_goes_on_is_left_alone() {
        pass(Duration.ofMinutes(1));
        timerDueAt = Long.MAX_VALUE;
        done.clear();

        pass(HOUR);

        assertThat(done).isEmpty();
    }

    /** Lets time pass on both clocks. */
    private void pass(Duration time) {
        for (long passed = 0; passed < time.toMillis(); passed += 500) {
            nanos += Duration.ofMillis(500).toNanos();
            wallMillis += 500;
            if (wallMillis >= timerDueAt) {
                timerDueAt += 1000;
                supervisor.tick();
            }
            check.run();
        }
    }
}
