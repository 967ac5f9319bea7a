/**
 * Partitions of the history: the plan, and what each database makes of it.
 *
 * <p>A change of which partitions there are starts with {@code PartitionPlanTest}, without a database. Statements
 * start with {@code PartitionsContract}, which collects the contracts that run on each database:
 * {@code NewPartitionsContract}, {@code DroppedPartitionsContract}, {@code PartitionLocksContract} and others.
 * {@code PartitionsFixture} supplies their table, {@code Plans} short forms for plans.
 */
package io.outboxed.internal.partitions;
