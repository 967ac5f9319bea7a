/**
 * Leases, shards, and the threads of a node.
 *
 * <p>A change of how nodes join, leave or take over starts with {@code MembershipTest}, one of who gets which shards
 * with {@code ShardSharesTest} (with locks: {@code SharedShardsTest}), and one of when a node counts as dead with
 * {@code FailureDetectorTest}. Workers are in {@code WorkerPoolTest}, background tasks in
 * {@code MaintenanceScheduleTest}, samples of the backlog in {@code BacklogSamplerTest}.
 *
 * <p>Fixtures: {@code MembershipFixture} is nodes on one store without threads, {@code WorkerFixture} a worker with
 * one handler.
 */
package io.outboxed.internal.relay.node;
