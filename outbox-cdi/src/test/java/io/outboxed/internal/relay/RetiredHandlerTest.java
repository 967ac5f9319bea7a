package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.cluster.HandlerRegistration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A handler that is retired although this node still has it. */
class RetiredHandlerTest {
    private static final String OTHER_TYPE = "shouted";

    private final LoneRelay node = new LoneRelay(
                    OutboxConfig.Retry.DEFAULTS,
                    Map.of(
                            new HandlerKey(LoneRelay.TYPE, LoneRelay.MAIL), HandlerMode.TRANSACTIONAL,
                            new HandlerKey(LoneRelay.TYPE, LoneRelay.AUDIT), HandlerMode.TRANSACTIONAL,
                            new HandlerKey(OTHER_TYPE, LoneRelay.AUDIT), HandlerMode.TRANSACTIONAL),
                    List.of())
            .holdsAllShards(false);

    /** @return who has got an event, after the node has read the registry again */
    private List<String> delivered() {
        node.publish(7);
        node.pass(Duration.ofSeconds(6));
        List<Call> called = node.called();
        called.forEach(node::succeeds);
        return called.stream().map(Call::handler).toList();
    }

    private static List<String> warnings(CapturedLog log) {
        return log.lines.stream().filter(line -> line.contains("OUTBOX-0478")).toList();
    }

    @Test
    void it_gets_no_new_events_and_the_node_warns_once_until_that_changes() {
        try (CapturedLog log = new CapturedLog()) {
            assertThat(delivered()).contains(LoneRelay.AUDIT);
            assertThat(warnings(log)).isEmpty();

            node.store.retire(LoneRelay.TYPE, LoneRelay.AUDIT);
            assertThat(delivered()).containsExactly(LoneRelay.MAIL);
            assertThat(delivered()).containsExactly(LoneRelay.MAIL);
            assertThat(warnings(log))
                    .singleElement()
                    .asString()
                    .startsWith("WARNING OUTBOX-0478 handler Audit.write")
                    .contains(LoneRelay.TYPE)
                    .doesNotContain(OTHER_TYPE);

            node.store.retire(OTHER_TYPE, LoneRelay.AUDIT);
            delivered();
            assertThat(warnings(log)).hasSize(2).last().asString().contains(LoneRelay.TYPE, OTHER_TYPE);
        }
    }

    @Test
    void it_is_back_once_a_deployment_that_has_it_starts() {
        node.store.retire(LoneRelay.TYPE, LoneRelay.AUDIT);
        delivered();
        node.register(List.of(
                new HandlerRegistration(LoneRelay.TYPE, LoneRelay.AUDIT, "Audit"),
                new HandlerRegistration(OTHER_TYPE, LoneRelay.AUDIT, "Audit")));
        try (CapturedLog log = new CapturedLog()) {
            assertThat(delivered()).contains(LoneRelay.AUDIT);
            assertThat(warnings(log)).isEmpty();

            node.store.retire(LoneRelay.TYPE, LoneRelay.AUDIT);
            delivered();
            assertThat(warnings(log)).hasSize(1);
        }
    }

    /** Its event needs no other one any more, as if only the others had been retired. */
    @Test
    void one_that_has_succeeded_is_not_called_again_if_all_are_retired_and_come_back() {
        node.publish(7);
        node.turns();
        Call first = node.calls.poll();
        node.succeeds(first);
        Call second = node.calls.poll();
        node.relay.lostAll();
        node.store.retire(LoneRelay.TYPE, first.handler());
        node.store.retire(LoneRelay.TYPE, second.handler());
        node.pass(Duration.ofSeconds(6));
        node.holdsAllShards(false);
        node.isNotBegun(second);
        assertThat(node.store.messages() + node.store.waitRows()).isZero();

        node.register(List.of(
                new HandlerRegistration(LoneRelay.TYPE, LoneRelay.AUDIT, "Audit"),
                new HandlerRegistration(LoneRelay.TYPE, LoneRelay.MAIL, "Mailer")));
        node.pass(Duration.ofSeconds(10));
        assertThat(node.called()).isEmpty();
    }

    @Test
    void one_that_another_deployment_had_is_no_news() {
        node.register(List.of(new HandlerRegistration(LoneRelay.TYPE, "Gone.other", "Gone")));
        node.store.retire(LoneRelay.TYPE, "Gone.other");
        try (CapturedLog log = new CapturedLog()) {
            delivered();
            assertThat(warnings(log)).isEmpty();
        }
    }
}
