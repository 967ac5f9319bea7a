/** What an operator is told once, when the relay is ready. */
package io.outboxed.internal.report;
