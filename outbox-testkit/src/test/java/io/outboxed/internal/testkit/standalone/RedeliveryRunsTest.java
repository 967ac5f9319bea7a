package io.outboxed.internal.testkit.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.testkit.ObservedCalls;
import io.outboxed.internal.testkit.TestOutbox;
import io.outboxed.internal.testkit.TestTables;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Time passes between the questions whether anything is due. */
class RedeliveryRunsTest {
    private int drains;

    private final TestOutbox outbox = new TestOutbox() {
        @Override
        public void drain(Duration limit) {
            drains++;
        }
    };

    private final TestTables tables = new TestTables() {
        @Override
        public Optional<Duration> untilDue() {
            return Optional.empty();
        }

        @Override
        public boolean isAnyDue() {
            return drains < 2;
        }

        @Override
        public boolean isAnyWithoutHandler() {
            return false;
        }

        @Override
        public List<String> deadLetters() {
            return List.of();
        }

        @Override
        public List<String> undelivered() {
            return List.of();
        }
    };

    @Test
    void what_becomes_due_right_after_a_drain_is_delivered_by_the_next_one() {
        RedeliveryRuns runs = new RedeliveryRuns(outbox, new ObservedCalls(), tables, () -> {});

        assertThatThrownBy(() -> runs.verify(() -> {}, () -> "the same")).hasMessageContaining("published nothing");

        assertThat(drains).isEqualTo(2);
    }
}
