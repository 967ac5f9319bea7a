/** The report for operators, logged once when the relay is ready. */
package io.outboxed.internal.report;
