/**
 * Single parts of the loop.
 *
 * <p>Where reading starts: {@code ShardCursorTest}; with locks: {@code SharedShardTest}. How long the loop rests:
 * {@code RelayWaitTest}. Messages that may have killed their node: {@code CrashSuspectsTest} and
 * {@code SuspectLimitTest}. Events stored out of order: {@code WriterOrderTest}. Metrics of the loop:
 * {@code RelayMetricsTest}. What a turn as a whole does is tested in {@code relay}.
 */
package io.outboxed.internal.relay.loop;
