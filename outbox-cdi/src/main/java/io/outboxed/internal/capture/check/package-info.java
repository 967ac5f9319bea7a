/** Checks {@link io.outboxed.Outboxed} methods at deployment. */
package io.outboxed.internal.capture.check;
