package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.OutboxException;
import io.outboxed.internal.partitions.PartitionDryRun;
import io.outboxed.internal.partitions.PartitionPlan;
import io.outboxed.internal.partitions.PartitionSettings;
import io.outboxed.internal.partitions.Period;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a program reads about a run that was not made. */
class PartitionsCommandTest {
    private static final PartitionSettings MONTH =
            PartitionSettings.of(Period.MONTH, Duration.ofDays(60), Optional.empty());

    @Test
    void a_run_that_would_be_refused_says_why_in_json_too() {
        OutboxException refusal = new OutboxException("OUTBOX-0312", "its owner may not create tables");

        assertThat(PartitionsCommand.object(dryRun(7, Optional.of(refusal)), MONTH))
                .containsEntry("refusal", refusal.getMessage())
                .containsEntry("tailRows", 7L);
        assertThat(PartitionsCommand.object(dryRun(7, Optional.empty()), MONTH)).containsEntry("refusal", null);
    }

    @Test
    void a_tail_that_was_counted_up_to_the_limit_has_at_least_so_many_rows() {
        assertThat(PartitionsCommand.object(dryRun(10_001, Optional.empty()), MONTH))
                .containsEntry("atLeast", List.of("tailRows"));
        assertThat(PartitionsCommand.object(dryRun(10_000, Optional.empty()), MONTH))
                .containsEntry("atLeast", List.of());
        assertThat(PartitionsCommand.object(dryRun(10_001, Optional.empty()), MONTH.withAnyTail()))
                .containsEntry("atLeast", List.of());
    }

    private static PartitionDryRun dryRun(long tailRows, Optional<OutboxException> refusal) {
        PartitionPlan plan =
                PartitionPlan.of(Instant.EPOCH, Period.MONTH, Duration.ofDays(60), Optional.empty(), List.of());
        return new PartitionDryRun(plan, List.of(), tailRows, false, refusal);
    }
}
