/**
 * What the probes answer. A change of when a node is up or down starts with {@code RelayHealthTest}, one of which
 * checks a server finds with {@code HealthExtensionTest}. {@code CheckResponse} stands for the server's side of a
 * response.
 */
package io.outboxed.internal.health;
