/** Handlers on a real server, with its own transactions, session beans and Fault Tolerance. */
package io.outboxed.it.handlers;
