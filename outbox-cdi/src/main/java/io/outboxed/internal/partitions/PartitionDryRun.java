package io.outboxed.internal.partitions;

import java.util.List;

/**
 * What a run would do.
 *
 * @param statements in their order
 * @param tailRows rows in the tail, which the first statement copies (MySQL, MariaDB) or reads (PostgreSQL) while no
 *     session can write to the history; counted up to {@code maxTailRows} + 1
 * @param tailTooLong whether a run would add nothing because of their number or size
 */
public record PartitionDryRun(PartitionPlan plan, List<String> statements, long tailRows, boolean tailTooLong) {}
