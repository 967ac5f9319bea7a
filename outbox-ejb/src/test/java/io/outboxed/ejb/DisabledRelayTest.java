package io.outboxed.ejb;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.boot.RelayReporter;
import io.outboxed.internal.boot.RelayStarter;
import io.outboxed.internal.boot.RolledBackTransaction;
import io.outboxed.internal.config.OutboxConfigReader;
import io.outboxed.internal.relay.node.RelayNode;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A node that only stores events needs no threads, and so no listener of a web module. */
class DisabledRelayTest {
    private final List<String> reported = new ArrayList<>();
    private RelayThreads threads = new RelayThreads();
    private Optional<String> server = Optional.empty();
    private long nanos;

    private static final class Disabled extends RelayStarter {
        @Override
        public synchronized void prepare(RolledBackTransaction transaction) {}

        @Override
        public boolean relays() {
            return false;
        }
    }

    private final class Reports extends RelayReporter {
        @Override
        public void started(Optional<RelayNode> node, String onServer, String handlersRunOn) {
            reported.add(onServer + ", relay: " + node.isPresent() + ", handlers: " + handlersRunOn);
        }

        @Override
        public void tick(Optional<RelayNode> node) {}
    }

    private final class ToldName extends ServerName {
        @Override
        Optional<String> get() {
            return server;
        }
    }

    @Test
    void it_is_ready_a_few_seconds_after_the_start_if_there_is_no_listener() {
        RelaySupervisor supervisor = supervisor();

        tick(supervisor, 5);
        assertThat(reported).as("a listener may still tell the server").isEmpty();
        tick(supervisor, 30);

        assertThat(reported).containsExactly("unknown, relay: false, handlers: none");
    }

    /** A timer that makes up for the hour by which the clock was set forward. */
    @Test
    void a_thousand_ticks_at_once_are_not_a_few_seconds() {
        RelaySupervisor supervisor = supervisor();

        tick(supervisor, 1);
        for (int i = 0; i < 1000; i++) {
            supervisor.tick();
        }

        assertThat(reported).isEmpty();
    }

    @Test
    void it_is_ready_once_the_listener_has_told_the_server() {
        RelaySupervisor supervisor = supervisor();
        tick(supervisor, 2);
        server = Optional.of("WildFly 40");
        tick(supervisor, 2);

        assertThat(reported).containsExactly("WildFly 40, relay: false, handlers: none");
    }

    /** An error on one path is no reason to leave the node alone. */
    @Test
    void threads_that_can_not_be_started_hold_up_nothing_else() {
        server = Optional.of("WildFly 40");
        threads = new RelayThreads() {
            @Override
            void supervise() {
                throw new OutOfMemoryError("unable to create native thread");
            }
        };

        tick(supervisor(), 1);

        assertThat(reported).containsExactly("WildFly 40, relay: false, handlers: none");
    }

    /** Here is no server that has any. */
    @Test
    void the_listener_starts_no_threads() {
        threads.config = OutboxConfigReader.read(new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(Map.of("outbox.relay.enabled", "false"), "a file", 100))
                .build());

        threads.open();

        assertThat(threads.executors()).isEmpty();
    }

    private RelaySupervisor supervisor() {
        RelaySupervisor supervisor = new RelaySupervisor(() -> nanos, System::currentTimeMillis);
        supervisor.threads = threads;
        supervisor.starter = new Disabled();
        supervisor.reporter = new Reports();
        supervisor.server = new ToldName();
        return supervisor;
    }

    /** Once a second. */
    private void tick(RelaySupervisor supervisor, int count) {
        for (int i = 0; i < count; i++) {
            nanos += TimeUnit.SECONDS.toNanos(1);
            supervisor.tick();
        }
    }
}
