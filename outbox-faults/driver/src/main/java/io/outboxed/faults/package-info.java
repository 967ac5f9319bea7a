/** Starts a database and several servers, injects faults by a random plan with a fixed seed, and checks the outcome. */
package io.outboxed.faults;
