/** Deletes what is old: by age, in batches. Needs a connection only, so it also runs by hand. */
package io.outboxed.internal.retention;
