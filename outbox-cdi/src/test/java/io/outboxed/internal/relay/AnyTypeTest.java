package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.cluster.HandlerRegistration;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Handlers of every type: whom they get, in which order, and while versions of an application run side by side. */
@ExtendWith(SilentLog.class)
class AnyTypeTest {
    private static final int PATIENCE = Cluster.PATIENCE;
    private static final HandlerKey AUDIT = new HandlerKey(HandlerKey.ANY_TYPE, "audit");

    private static Map<HandlerKey, HandlerMode> withAudit() {
        Map<HandlerKey, HandlerMode> more = new HashMap<>(Cluster.SHIP_AND_MAIL);
        more.put(AUDIT, HandlerMode.TRANSACTIONAL);
        return more;
    }

    @Test
    void what_a_newer_deployment_publishes_waits_for_a_node_that_has_the_handler() {
        Cluster cluster = Cluster.ofShipAndMail(false, 3);
        cluster.startNode(withAudit());
        cluster.startNode();
        cluster.run(2_000);
        List<UUID> all = IntStream.range(0, 300)
                .boxed()
                .flatMap(i -> Stream.of(
                        cluster.publish("placed", "order " + i % 20, "fine"),
                        cluster.publish("asked", "order " + i % 20, "fine")))
                .toList();

        cluster.runUntil(() -> cluster.store.messages() == 0, PATIENCE);

        assertThat(all).allMatch(id -> cluster.history.effects("audit", id) == 1);
        cluster.history.check("a handler of any type in a rolling deployment");
    }

    @Test
    void events_that_waited_for_a_first_handler_get_it() {
        Cluster cluster = Cluster.ofShipAndMail(false, 3);
        UUID waits = cluster.publish("asked", "order", "fine");
        cluster.run(20_000);
        assertThat(cluster.store.messages()).as("waits").isEqualTo(1);

        cluster.startNode(withAudit());
        UUID later = cluster.publish("asked", "order", "fine");
        cluster.runUntil(() -> cluster.store.messages() == 0, PATIENCE);

        assertThat(cluster.history.effects("audit", waits)).isEqualTo(1);
        assertThat(cluster.history.effects("audit", later)).isEqualTo(1);
        cluster.history.checkSoFar("the first handler is one of any type");
    }

    @Test
    void a_handler_of_one_type_that_becomes_one_of_any_type_remains_the_same_handler() {
        Map<HandlerKey, HandlerMode> older = new HashMap<>(Cluster.SHIP_AND_MAIL);
        older.put(new HandlerKey("placed", "audit"), HandlerMode.TRANSACTIONAL);
        Cluster cluster = Cluster.ofShipAndMail(false, 3);
        cluster.startNode(older);
        UUID poison = cluster.publish("placed", "sick", SimulatedHandlers.POISON + "audit");
        cluster.run(3_000);

        cluster.startNode(withAudit());
        IntStream.range(0, 300).forEach(i -> {
            cluster.publish("placed", "order " + i % 20, "fine");
            cluster.publish("asked", "order " + i % 20, "fine");
        });
        cluster.runUntil(() -> cluster.store.messages() == 0, PATIENCE);

        assertThat(cluster.store.isDead("audit", poison)).isTrue();
        cluster.history.check("from one type to any type");
    }

    @Test
    void its_group_sees_an_aggregates_events_in_order_whatever_their_types() {
        LoneRelay node = new LoneRelay(
                        new OutboxConfig.Retry(5, Duration.ofSeconds(3), 1, Duration.ofMinutes(1), false),
                        Map.of(
                                new HandlerKey("placed", "Audit.placed"), HandlerMode.TRANSACTIONAL,
                                new HandlerKey(HandlerKey.ANY_TYPE, "Audit.any"), HandlerMode.TRANSACTIONAL),
                        List.of())
                .holdsAllShards(false);
        long first = node.publish(7, "asked").seq();
        node.turns();
        Call call = node.calls.poll();
        assertThat(call.handler()).isEqualTo("Audit.any");
        node.fails(call);

        node.publish(7, "placed");
        node.publish(7, "shouted");
        node.publish(8, "shouted");
        node.turns();
        Call elsewhere = node.calls.poll();
        assertThat(elsewhere.delivery().head().lane()).as("another aggregate").isEqualTo(8);
        assertThat(node.calls.poll()).as("it waits behind the failure").isNull();

        node.pass(Duration.ofSeconds(4));
        Call again = node.calls.poll();
        assertThat(again.delivery().head().seq()).isEqualTo(first);
        node.succeeds(again);
        node.turns();
        assertThat(node.calls.poll().delivery().head().type()).isEqualTo("placed");
    }

    @Test
    void one_that_is_retired_gets_nothing_more() {
        LoneRelay node = new LoneRelay(OutboxConfig.Retry.DEFAULTS).holdsAllShards(false);
        node.register(List.of(new HandlerRegistration(HandlerKey.ANY_TYPE, "Audit.any", "Audit")));
        node.store.retire(HandlerKey.ANY_TYPE, "Audit.any");

        node.publish(7);
        node.turns();
        Call mail = node.calls.poll();
        assertThat(mail.handler()).isEqualTo(LoneRelay.MAIL);
        node.succeeds(mail);
        assertThat(node.store.messages()).isZero();
    }
}
