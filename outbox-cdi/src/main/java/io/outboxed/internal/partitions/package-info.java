/** Partitions of the history by time. Needs a connection only, so it also runs by hand. */
package io.outboxed.internal.partitions;
