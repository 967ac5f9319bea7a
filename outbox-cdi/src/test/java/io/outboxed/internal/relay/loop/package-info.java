/**
 * Tests of single parts of the loop. What a turn as a whole does is tested in {@code relay}.
 */
package io.outboxed.internal.relay.loop;
