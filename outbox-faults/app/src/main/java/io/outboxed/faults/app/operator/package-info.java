/** What an operator does with the outbox while faults come. */
package io.outboxed.faults.app.operator;
