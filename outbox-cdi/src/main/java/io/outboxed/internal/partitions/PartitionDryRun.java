package io.outboxed.internal.partitions;

import io.outboxed.OutboxException;
import java.util.List;
import java.util.Optional;

/**
 * What a run would do.
 *
 * @param statements in their order
 * @param tailRows rows in the tail, which the first statement copies (MySQL, MariaDB) or reads (PostgreSQL) while no
 *     session can write to the history; counted up to {@code maxTailRows} + 1
 * @param tailTooLong whether a run would add nothing because of their number or size
 * @param refusal what a run would throw after it has dropped what is old, because it can add nothing
 */
public record PartitionDryRun(
        PartitionPlan plan,
        List<String> statements,
        long tailRows,
        boolean tailTooLong,
        Optional<OutboxException> refusal) {}
