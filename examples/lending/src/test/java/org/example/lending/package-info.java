/**
 * The example's handlers, tested with the kit and without a server; docs/testing.md quotes {@code RemindersTest}. A
 * change of the example's beans starts there. {@code ExampleIT} and {@code EarIT} in {@code outbox-war} run the same
 * application on a real server.
 */
package org.example.lending;
