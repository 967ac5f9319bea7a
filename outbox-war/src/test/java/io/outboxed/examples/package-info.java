/** Independent applications on a real server: start at {@code ExampleIT}. */
package io.outboxed.examples;
