/**
 * A deployment whose handlers can't work. A new reason to refuse one starts with {@code RefusedDeploymentIT} and a
 * method in {@code Misuse}, or {@code MisusedSession} for session beans. Without a server: {@code RefusedHandlersTest}
 * in {@code outbox-cdi}.
 */
package io.outboxed.it.units;
