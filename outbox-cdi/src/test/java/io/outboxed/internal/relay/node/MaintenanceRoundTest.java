package io.outboxed.internal.relay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfig.Metrics;
import io.outboxed.internal.config.OutboxConfig.MetricsApi;
import io.outboxed.internal.config.OutboxConfig.Observe;
import io.outboxed.internal.relay.BetweenStatements;
import io.outboxed.internal.relay.MaintenanceTask;
import io.outboxed.internal.relay.RelayDependencies;
import io.outboxed.internal.relay.SilentLog;
import io.outboxed.internal.store.Ports;
import io.outboxed.internal.store.RelayStore;
import io.outboxed.internal.store.Statistics;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SilentLog.class)
class MaintenanceRoundTest extends MembershipFixture {

    @Test
    void the_backlog_is_counted_as_rarely_as_is_configured() {
        AtomicInteger samples = new AtomicInteger();
        Node node = new Node(
                1,
                BetweenStatements.eachTime(store.ports(), "backlog", samples::incrementAndGet),
                countingEach(Duration.ofHours(1)));
        node.tick();
        MaintenanceRound round = new MaintenanceRound(node.parts, node.relay, () -> false);

        for (int second = 0; second < 600; second++) {
            node.tick();
            round.run();
            pass(1);
        }
        assertThat(samples).hasValue(1);
    }

    @Test
    void the_tasks_run_although_counting_fails_with_an_exception_that_is_not_the_stores() {
        RelayStore broken = Ports.through((proxy, method, arguments) -> {
            if (method.getDeclaringClass() == Statistics.class) {
                throw new IllegalStateException("the pool is closed");
            }
            return Ports.call(store.ports(), method, arguments);
        });
        Node node = new Node(1, broken);
        node.tick();
        Steps task = new Steps(new AtomicInteger());
        MaintenanceRound round = new MaintenanceRound(with(task, node.parts), node.relay, () -> false);

        for (int second = 0; second < 150; second++) {
            node.tick();
            round.run();
            pass(1);
        }
        assertThat(task.steps).hasValue(3);
    }

    /** Runs each minute. */
    private record Steps(AtomicInteger steps) implements MaintenanceTask {
        @Override
        public String name() {
            return "steps";
        }

        @Override
        public Duration interval() {
            return Duration.ofMinutes(1);
        }

        @Override
        public Step step() {
            steps.incrementAndGet();
            return Step.COMPLETE;
        }
    }

    private static RelayDependencies with(MaintenanceTask task, RelayDependencies parts) {
        return new RelayDependencies(
                parts.store(),
                parts.invoker(),
                parts.config(),
                parts.nanoClock(),
                parts.wallMillis(),
                parts.random(),
                parts.notifications(),
                parts.meters(),
                List.of(task));
    }

    private static OutboxConfig countingEach(Duration interval) {
        OutboxConfig usual = OutboxConfig.DEFAULTS;
        return new OutboxConfig(
                usual.database(),
                usual.relay(),
                usual.handler(),
                usual.retries(),
                usual.payload(),
                usual.order(),
                usual.deadLetters(),
                usual.retention(),
                new Observe(
                        usual.observe().health(), usual.observe().tracing(), new Metrics(MetricsApi.AUTO, interval)),
                usual.admin());
    }
}
