/** What {@link io.outboxed.OutboxAdmin} takes and returns. Records are immutable. May grow before 1.0. */
package io.outboxed.admin;
