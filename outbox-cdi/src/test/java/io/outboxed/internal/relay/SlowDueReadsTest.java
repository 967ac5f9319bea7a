package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** So many aggregates are due at once that to find them takes the database long, whichever of them are wanted. */
class SlowDueReadsTest {
    private static final Duration STEP = Duration.ofMillis(50);
    private static final Duration TIME = Duration.ofSeconds(60);

    private final LoneRelay node = new LoneRelay(OutboxConfig.Retry.DEFAULTS).holdsAllShards(false);

    SlowDueReadsTest() {
        node.publish(7);
        node.turns();
        node.called().forEach(node::fails);
        node.pass(Duration.ofSeconds(5));
        node.statements.dueLimits.clear();
    }

    @Test
    void such_reads_take_a_fifth_of_the_time_and_ask_for_more() {
        node.statements.dueTakes = Duration.ofMillis(300);
        passes();

        assertThat(node.statements.dueTakes.multipliedBy(node.statements.dueLimits.size()))
                .isBetween(TIME.dividedBy(10), TIME.dividedBy(4));
        assertThat(node.statements.dueLimits.subList(1, node.statements.dueLimits.size()))
                .allMatch(limit -> limit >= 1_000);
    }

    @Test
    void one_that_stood_still_together_with_the_database_holds_up_the_next_ones_for_five_seconds() {
        node.statements.dueTakes = Duration.ofSeconds(19);
        node.pass(STEP);
        node.statements.dueTakes = Duration.ZERO;
        node.statements.dueLimits.clear();

        node.pass(Duration.ofSeconds(4));
        assertThat(node.statements.dueLimits).isEmpty();
        node.pass(Duration.ofSeconds(2));
        assertThat(node.statements.dueLimits).isNotEmpty();
    }

    @Test
    void quick_reads_are_made_all_the_time_and_ask_for_few() {
        passes();

        assertThat(node.statements.dueLimits).hasSizeGreaterThan(500).allMatch(limit -> limit < 200);
    }

    private void passes() {
        for (Duration passed = Duration.ZERO; passed.compareTo(TIME) < 0; passed = passed.plus(STEP)) {
            node.pass(STEP);
        }
    }
}
