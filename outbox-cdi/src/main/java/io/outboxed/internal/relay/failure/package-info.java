/**
 * What a failure means: another attempt and its delay, a handler that is down, or a dead letter. Independent of lanes
 * and threads.
 */
package io.outboxed.internal.relay.failure;
