package io.outboxed.internal.relay.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The bound that docs/operations.md derives, with rounds that take no time. The nodes tick once a second, out of step. */
class TakeoverTimeTest extends MembershipFixture {
    private static final long LEASE = OutboxConfig.DEFAULTS.relay().lease().toMillis();
    private static final long STEP = 100;

    /** Tenths of a second by which the two surviving nodes tick after the one that dies. */
    static Stream<List<Integer>> phases() {
        return IntStream.range(0, 10)
                .boxed()
                .flatMap(second -> IntStream.range(0, 10).mapToObj(third -> List.of(0, second, third)));
    }

    @ParameterizedTest
    @MethodSource("phases")
    void each_shard_of_a_dead_node_has_another_owner_within_a_lease_and_three_heartbeats(List<Integer> phases) {
        List<Node> nodes = phases.stream().map(phase -> new Node(1)).toList();
        long heartbeat = nodes.get(0).membership.interval().toMillis();
        run(nodes, phases, 10 * heartbeat);
        assertThat(nodes).allMatch(node -> shardsOf(node) > 0);

        nodes.get(0).tick();
        List<Node> left = nodes.subList(1, nodes.size());
        run(left, phases.subList(1, phases.size()), LEASE);
        assertThat(shardsOf(nodes.get(0))).as("within its lease").isPositive();

        run(left, phases.subList(1, phases.size()), 3 * heartbeat);
        assertThat(left.stream().mapToLong(this::shardsOf).sum()).isEqualTo(64);
    }

    /** Begins and ends at a whole second. */
    private void run(List<Node> nodes, List<Integer> phases, long millis) {
        for (long passed = 0; passed < millis; passed += STEP) {
            now += Duration.ofMillis(STEP).toNanos();
            long tenth = (passed / STEP + 1) % 10;
            for (int i = 0; i < nodes.size(); i++) {
                if (tenth == phases.get(i)) {
                    nodes.get(i).tick();
                }
            }
        }
    }
}
