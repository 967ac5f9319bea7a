/**
 * Independent applications on a real server. A change of what a plain WAR needs starts with {@code ExampleIT}, one of
 * EARs with {@code EarIT}. The application is {@code examples/lending}; {@code Http} calls it.
 */
package io.outboxed.examples;
