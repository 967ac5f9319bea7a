/**
 * The caller's transaction: work that comes last before its commit, and the mark of one in which the outbox has failed,
 * which must not be committed, and in which no call may look like a success.
 */
package io.outboxed.internal.capture.transaction;
