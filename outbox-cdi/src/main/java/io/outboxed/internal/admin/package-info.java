/** The bean behind {@link io.outboxed.OutboxAdmin}. */
package io.outboxed.internal.admin;
