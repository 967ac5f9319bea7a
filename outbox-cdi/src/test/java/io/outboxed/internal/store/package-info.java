/**
 * The contract of a store, run in memory and on each database.
 *
 * <p>A new or changed method: its contract ({@code ReadingContract}, {@code AcksContract},
 * {@code FencedWritesContract}, {@code WaitsContract}, {@code TakeoverContract} ...), then the class of
 * {@link MemoryStore} for its port and the statement class. Locks and races: {@code RaceContract},
 * {@code HeldRowsContract}.
 */
package io.outboxed.internal.store;
