package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.store.HandlerKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Single rules of the relay, each in a situation that breaks a relay without that rule. */
@ExtendWith(SilentLog.class)
class RelayRulesTest {
    private static final int PATIENCE = Cluster.PATIENCE;

    @Test
    void ten_thousand_events_of_one_aggregate_do_not_hold_up_the_others() {
        Cluster cluster = cluster(false);
        IntStream.range(0, 10_000).forEach(i -> cluster.publish("placed", "hot", "fine"));
        List<String> neighbours = neighboursOfHot();
        List<UUID> others = IntStream.range(0, 200)
                .mapToObj(i -> cluster.publish("placed", neighbours.get(i % 50), "fine"))
                .toList();

        cluster.runUntil(() -> others.stream().noneMatch(cluster.history::isOpen), PATIENCE);

        assertThat(cluster.store.messages())
                .as("most of the hot aggregate still waits")
                .isGreaterThan(8_000);
        cluster.history.checkSoFar("hot aggregate");
    }

    @Test
    void six_aggregates_of_one_shard_with_long_backlogs_do_not_hold_up_the_others() {
        Cluster cluster = cluster(false);
        List<String> neighbours = neighboursOfHot();
        IntStream.range(0, 4_200).forEach(i -> cluster.publish("placed", neighbours.get(i % 6), "fine"));
        List<UUID> others = IntStream.range(0, 200)
                .mapToObj(i -> cluster.publish("placed", neighbours.get(6 + i % 44), "fine"))
                .toList();

        cluster.runUntil(() -> others.stream().noneMatch(cluster.history::isOpen), PATIENCE);

        assertThat(cluster.store.messages())
                .as("most of the long backlogs still wait")
                .isGreaterThan(3_000);
        cluster.history.checkSoFar("six hot aggregates");
    }

    @Test
    void after_a_page_that_was_put_aside_a_page_too_large_for_memory_is_not_skipped() {
        Cluster cluster = cluster(false);
        List<String> neighbours = neighboursOfHot();
        IntStream.range(0, 1_000).forEach(i -> cluster.publish("placed", "hot", "fine"));
        IntStream.range(0, 1_500).forEach(i -> cluster.publish("placed", neighbours.get(i % 50), "fine"));

        cluster.runUntil(() -> cluster.store.messages() == 0, 4 * PATIENCE);

        cluster.history.check("large pages");
    }

    private static List<String> neighboursOfHot() {
        return IntStream.range(0, 1_000_000)
                .mapToObj(i -> "cold " + i)
                .filter(name -> Cluster.shard(name) == Cluster.shard("hot"))
                .limit(50)
                .toList();
    }

    @Test
    void a_handler_that_a_newer_deployment_adds_gets_what_that_deployment_publishes() {
        Cluster cluster = cluster(false);
        cluster.publish("placed", "order before", "fine");
        cluster.runUntil(() -> cluster.store.messages() == 0, PATIENCE);
        Map<HandlerKey, HandlerMode> more = new HashMap<>(Cluster.SHIP_AND_MAIL);
        more.put(new HandlerKey("placed", "bill"), HandlerMode.TRANSACTIONAL);
        cluster.startNode(more);
        IntStream.range(0, 500).forEach(i -> cluster.publish("placed", "order " + i % 20, "fine"));

        cluster.runUntil(() -> cluster.store.messages() == 0, PATIENCE);

        cluster.history.check("rolling deployment");
    }

    @Test
    void a_node_of_the_older_deployment_that_starts_late_does_not_keep_what_only_the_newer_one_can_deliver() {
        Cluster cluster = cluster(false);
        Map<HandlerKey, HandlerMode> more = new HashMap<>(Cluster.SHIP_AND_MAIL);
        more.put(new HandlerKey("placed", "bill"), HandlerMode.TRANSACTIONAL);
        cluster.startNode(more);
        cluster.startNode();
        cluster.run(2_000);
        IntStream.range(0, 500).forEach(i -> cluster.publish("placed", "order " + i % 20, "fine"));

        cluster.runUntil(() -> cluster.store.messages() == 0, PATIENCE);

        cluster.history.check("an older deployment scales out");
    }

    @Test
    void a_removed_handler_that_is_not_retired_yet_does_not_move_all_shards_to_the_first_newer_node() {
        Cluster cluster = Cluster.withoutNodes(false, 3);
        Map<HandlerKey, HandlerMode> before = new HashMap<>(Cluster.SHIP_AND_MAIL);
        before.put(new HandlerKey("placed", "bill"), HandlerMode.TRANSACTIONAL);
        cluster.store.handlers().register(SimulatedHandlers.registrations(before));
        cluster.startNode();
        cluster.startNode();
        List<UUID> backlog = IntStream.range(0, 500)
                .mapToObj(i -> cluster.publish("placed", "order " + i, "fine"))
                .toList();
        cluster.runUntil(
                () -> backlog.stream()
                        .noneMatch(id -> cluster.history.isOpen("ship", id) || cluster.history.isOpen("mail", id)),
                PATIENCE);

        Map<HandlerKey, HandlerMode> next = new HashMap<>(Cluster.SHIP_AND_MAIL);
        next.put(new HandlerKey("paid", "book"), HandlerMode.TRANSACTIONAL);
        cluster.startNode(next);
        cluster.run(50_000);

        assertThat(cluster.shares())
                .hasSize(3)
                .allSatisfy(share -> assertThat(share).isBetween(20L, 22L));
        cluster.history.checkSoFar("a removed handler");
    }

    @Test
    void an_event_that_kills_its_node_each_time_ends_as_a_dead_letter_and_the_others_are_delivered() {
        Cluster cluster = cluster(false);
        cluster.startNode();
        UUID killer = cluster.publish("placed", "bad", SimulatedHandlers.HALT + "ship");
        IntStream.range(0, 100).forEach(i -> cluster.publish("placed", "good " + i, "fine"));

        cluster.runUntil(() -> cluster.store.messages() == 0, PATIENCE);

        assertThat(cluster.halts).as("nodes that died").isBetween(2, 3);
        assertThat(cluster.store.isDead("ship", killer)).isTrue();
        cluster.history.check("killer");
    }

    @Test
    void a_failing_handler_neither_repeats_nor_blocks_the_other_one() {
        Cluster cluster = Cluster.ofShipAndMail(false, 10);
        UUID poison = cluster.publish("placed", "order", SimulatedHandlers.POISON + "mail");
        List<UUID> later = IntStream.range(0, 50)
                .mapToObj(i -> cluster.publish("placed", "order", "fine"))
                .toList();

        cluster.runUntil(() -> later.stream().noneMatch(id -> cluster.history.isOpen("ship", id)), PATIENCE);
        assertThat(cluster.history.isOpen("mail", poison)).as("still retried").isTrue();
        cluster.runUntil(() -> cluster.store.messages() == 0, PATIENCE);

        assertThat(cluster.history.effects("ship", poison)).isEqualTo(1);
        assertThat(cluster.store.isDead("mail", poison)).isTrue();
        cluster.history.check("one failing handler");
    }

    @Test
    void with_block_the_aggregate_waits_behind_its_dead_letter_and_only_for_that_handler() {
        Cluster cluster = cluster(true);
        UUID poison = cluster.publish("placed", "order", SimulatedHandlers.POISON + "mail");
        UUID later = cluster.publish("placed", "order", "fine");
        UUID other = cluster.publish("placed", "another order", "fine");

        cluster.runUntil(
                () -> cluster.store.isDead("mail", poison)
                        && !cluster.history.isOpen("ship", later)
                        && !cluster.history.isOpen(other),
                PATIENCE);
        cluster.run(20_000);

        assertThat(cluster.history.isOpen("mail", later)).isTrue();
        assertThat(cluster.store.messages()).isEqualTo(2);
    }

    @Test
    void a_service_that_is_down_uses_up_no_attempt() {
        Cluster cluster = Cluster.ofShipAndMail(false, 10);
        cluster.mailIsDown = true;
        List<UUID> all = IntStream.range(0, 60)
                .mapToObj(i -> cluster.publish("placed", "order " + i, "fine"))
                .toList();
        cluster.runUntil(() -> all.stream().noneMatch(id -> cluster.history.isOpen("ship", id)), PATIENCE);
        cluster.run(100_000);

        cluster.mailIsDown = false;
        cluster.runUntil(() -> cluster.store.messages() == 0, PATIENCE);

        assertThat(all).noneMatch(id -> cluster.store.isDead("mail", id));
        cluster.history.check("outage");
    }

    @Test
    void a_type_without_any_handler_waits_and_is_delivered_once_it_has_one() {
        Cluster cluster = cluster(false);
        cluster.publish("asked", "order", "fine");
        cluster.publish("placed", "order", "fine");
        cluster.runUntil(() -> cluster.history.open().isEmpty(), PATIENCE);
        cluster.run(5_000);
        assertThat(cluster.store.messages()).as("waits").isEqualTo(1);

        Map<HandlerKey, HandlerMode> more = new HashMap<>(Cluster.SHIP_AND_MAIL);
        more.put(new HandlerKey("asked", "answer"), HandlerMode.TRANSACTIONAL);
        cluster.startNode(more);
        cluster.runUntil(() -> cluster.store.messages() == 0, PATIENCE);
    }

    private static Cluster cluster(boolean block) {
        return Cluster.ofShipAndMail(block, 3);
    }
}
