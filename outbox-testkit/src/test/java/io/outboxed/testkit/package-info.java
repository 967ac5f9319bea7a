/** The annotation for tests. What it makes of a test class begins with {@code OutboxExtensionTest}. */
package io.outboxed.testkit;
