/**
 * The checks of a run's history. A new or changed check starts with {@code ChecksTest}, where each check finds its
 * violation in a small history. {@code SpansTest} is for the arithmetic of time spans that the checks use.
 */
package io.outboxed.faults.history;
