/** Cleanup of old rows, on each database. */
package io.outboxed.internal.retention;
