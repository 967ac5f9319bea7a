/** What the kit does without a server. A change of the runs with faults begins with {@code RedeliveryRunsTest}. */
package io.outboxed.internal.testkit.standalone;
