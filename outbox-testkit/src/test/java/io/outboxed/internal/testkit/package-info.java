/** The parts of the test kit that need no application. A change in what is in order starts with {@code CallOrderTest}. */
package io.outboxed.internal.testkit;
