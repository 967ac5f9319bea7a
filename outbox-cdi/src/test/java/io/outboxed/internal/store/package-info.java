/**
 * The contract of a store, run in memory and on each database.
 *
 * <p>A new or changed method: its contract ({@code ReadingContract}, {@code AcksContract},
 * {@code FencedWritesContract}, {@code WaitsContract}, {@code TakeoverContract} ...), then the class of
 * {@link MemoryStore} for its port and the statement class. Locks and races: {@code RaceContract},
 * {@code HeldRowsContract}. What an operator sees and changes: {@link OperatorContract}.
 */
package io.outboxed.internal.store;
