/** The few places where an application replaces a part of the outbox; may change before 1.0. */
package io.outboxed.spi;
