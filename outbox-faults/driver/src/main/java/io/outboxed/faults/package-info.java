/** Starts a database and several servers, breaks them by a plan that a seed draws, and checks what came of it. */
package io.outboxed.faults;
