/**
 * Locks that a node's session holds. Their names and keys are in {@code LockNamesTest}. How nodes use them on each
 * database is in {@code AdvisoryLockContract} of {@code store}.
 */
package io.outboxed.internal.store.jdbc.locks;
