/**
 * The contract of a store, run in memory and on each database.
 *
 * <p>A new or changed method: its contract ({@code ReadingContract}, {@code AcksContract},
 * {@code FencedWritesContract}, {@code WaitsContract}, {@code TakeoverContract} ...), then the class of
 * {@link MemoryStore} for its port and the statement class. Locks and races: {@code RaceContract},
 * {@code HeldRowsContract}; claims by locks: {@code AdvisoryLockContract}. What an operator sees and changes:
 * {@link OperatorContract}.
 *
 * <p>Fixtures: {@code StoreFixture} with {@code MemoryFixture} and {@code JdbcFixture}; {@code JdbcStores} opens the
 * stores of several nodes; {@code KillableSessions} and {@code LostAtCommit} are connections that fail;
 * {@code LockWaits} knows whether another session waits for a lock.
 */
package io.outboxed.internal.store;
