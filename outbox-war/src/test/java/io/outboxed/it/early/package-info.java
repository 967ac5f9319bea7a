/**
 * Events that are published while the application starts. Start with {@code EarlyIT}. {@code EarlyBird} publishes,
 * {@code Migration} holds up the start, and {@code Chick} is the handler that needs it. Without a server:
 * {@code EarlyPreparationTest} in {@code outbox-ejb}.
 */
package io.outboxed.it.early;
