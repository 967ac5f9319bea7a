package io.outboxed.internal.relay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfig.Metrics;
import io.outboxed.internal.config.OutboxConfig.MetricsApi;
import io.outboxed.internal.config.OutboxConfig.Observe;
import io.outboxed.internal.relay.BetweenStatements;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

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
