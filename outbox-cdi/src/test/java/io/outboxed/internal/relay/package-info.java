/**
 * Tests of a whole relay, and its simulation.
 *
 * <p>What a rule promises: {@code RelayRulesTest}, on a cluster in memory. One relay and its calls, step by step:
 * {@code LoneRelay} and the tests that use it. Any change of the engine: {@code RelaySimulationTest}, then {@code mvn
 * -Psimulate -Dsimulation.seeds=100000}; a rule taken away: {@code Mutation}. Claims by locks: {@code LaneClaimsTest},
 * and {@code PeerSessionsTest} for the sessions of other nodes. The protocol alone, in all interleavings:
 * {@code relay.model}. On a real database: {@code BigRunContract}; tables of an older layout: {@code UpgradeContract}.
 *
 * <p>Fixtures: {@code Cluster} is nodes without threads, {@code LiveNode} a node with threads, and
 * {@code SimulatedWorld} the world of one seed.
 */
package io.outboxed.internal.relay;
