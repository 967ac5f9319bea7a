/** What is wrong with methods that are {@link io.outboxed.Outboxed}, found at deployment. */
package io.outboxed.internal.capture.check;
