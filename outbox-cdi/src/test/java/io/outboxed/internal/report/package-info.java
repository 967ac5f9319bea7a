/**
 * The report that a node writes when it starts. A new line, or a new setting that deserves a warning, starts with
 * {@code StartupReportTest}, which runs a real deployment over H2.
 */
package io.outboxed.internal.report;
