/** What surrounds one call of a handler. */
package io.outboxed.internal.handlers.invocation;
