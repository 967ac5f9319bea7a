/** One call of one handler: its transaction, its request context, its arguments, and how it ended. */
package io.outboxed.internal.handlers.invocation;
