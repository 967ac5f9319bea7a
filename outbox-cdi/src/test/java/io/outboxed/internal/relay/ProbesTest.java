package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.MessageHead;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A handler that is down is probed again within seconds, however a probe ends. */
class ProbesTest {
    private static final int FAILURES = 10;
    private static final int SECONDS = 6;
    private static final int DEATHS = 11;

    private final LoneRelay node = new LoneRelay(
                    new OutboxConfig.Retry(50, Duration.ofSeconds(3), 1, Duration.ofSeconds(3), false), FAILURES)
            .holdsAllShards(false);

    @BeforeEach
    void the_handler_goes_down() {
        for (int lane = 0; lane < FAILURES; lane++) {
            node.publish(lane);
        }
        node.turns();
        node.called().forEach(node::fails);
    }

    @Test
    void a_probe_that_fails() {
        isFollowedByAnother(LoneRelay::fails);
    }

    @Test
    void a_probe_that_is_deferred() {
        isFollowedByAnother(LoneRelay::isDeferred);
    }

    @Test
    void a_probe_that_is_given_up() {
        isFollowedByAnother(LoneRelay::isGivenUp);
    }

    @Test
    void a_probe_whose_commit_gets_no_answer() {
        isFollowedByAnother(LoneRelay::endsUnclear);
    }

    @Test
    void a_probe_that_does_not_begin() {
        isFollowedByAnother(LoneRelay::isNotBegun);
    }

    @Test
    void a_probe_whose_shard_is_lost() {
        isFollowedByAnother((relay, probe) -> {
            relay.relay.lostAll();
            relay.fails(probe);
            relay.holdsAllShards(false);
        });
    }

    @Test
    void there_is_no_other_while_it_runs() {
        assertThat(callsWithinSeconds()).hasSize(1);
        assertThat(callsWithinSeconds()).isEmpty();
    }

    /** Else a poisoned aggregate could be probed over and over, and one that shows that the handler works never. */
    @Test
    void aggregates_are_probed_in_turn() {
        Map<Long, Integer> probes = new TreeMap<>();
        for (int second = 0; second < 20 * FAILURES; second++) {
            node.pass(Duration.ofSeconds(1));
            for (Call probe : node.called()) {
                probes.merge(probe.delivery().head().lane(), 1, Integer::sum);
                node.fails(probe);
            }
        }

        assertThat(probes).hasSize(FAILURES);
        assertThat(Collections.max(probes.values()) - Collections.min(probes.values()))
                .as("%s", probes)
                .isLessThanOrEqualTo(1);
    }

    /** It was published while its handler was down, so it has never been called before. */
    @Test
    void an_event_that_kills_its_node_with_each_probe_is_given_up_in_the_end() {
        MessageHead poison = node.publish(FAILURES);
        node.turns();

        int deaths = 0;
        for (int i = 0; i < 2 * DEATHS * (FAILURES + 1); i++) {
            for (Call probe : callsWithinSeconds()) {
                if (probe.delivery().head().id().equals(poison.id())) {
                    deaths++;
                    dies(probe);
                } else {
                    node.fails(probe);
                }
            }
        }

        assertThat(node.store.deadMessages()).containsExactly(poison.id());
        assertThat(deaths).isEqualTo(DEATHS);
    }

    @Test
    void a_probe_that_fails_costs_no_attempt_and_is_no_death() {
        remainAsTheyAre(LoneRelay::fails);
    }

    @Test
    void a_probe_that_does_not_begin_costs_no_attempt_and_is_no_death() {
        remainAsTheyAre(LoneRelay::isNotBegun);
    }

    private void remainAsTheyAre(BiConsumer<LoneRelay, Call> end) {
        Map<Long, Set<Integer>> attempts = new TreeMap<>();
        for (int i = 0; i < 2 * DEATHS * FAILURES; i++) {
            for (Call probe : callsWithinSeconds()) {
                MessageHead head = probe.delivery().head();
                attempts.computeIfAbsent(head.lane(), key -> new HashSet<>())
                        .add(probe.delivery().attempt());
                end.accept(node, probe);
                assertThat(node.store.starts(head)).isZero();
            }
        }

        assertThat(attempts)
                .isNotEmpty()
                .allSatisfy((lane, made) -> assertThat(made).hasSize(1));
        assertThat(node.store.deadMessages()).isEmpty();
    }

    /** The next owner hears no answer. */
    private void dies(Call call) {
        node.holdsAllShards(true);
        node.endsUnclear(call);
    }

    private void isFollowedByAnother(BiConsumer<LoneRelay, Call> end) {
        for (int i = 0; i < 3; i++) {
            List<Call> probe = callsWithinSeconds();
            assertThat(probe).as("calls within %d seconds", SECONDS).hasSize(1);
            end.accept(node, probe.get(0));
        }
    }

    /** Stops at the first second in which there are any. */
    private List<Call> callsWithinSeconds() {
        List<Call> calls = List.of();
        for (int second = 0; second < SECONDS && calls.isEmpty(); second++) {
            node.pass(Duration.ofSeconds(1));
            calls = node.called();
        }
        return calls;
    }
}
