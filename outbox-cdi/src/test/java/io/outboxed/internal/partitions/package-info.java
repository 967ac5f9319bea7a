/** Partitions of the history: the plan, and what each database makes of it. */
package io.outboxed.internal.partitions;
