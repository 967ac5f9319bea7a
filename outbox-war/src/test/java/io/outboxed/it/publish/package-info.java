/**
 * What a publisher can ask for beside the event itself, up to its handlers. A new option of publishing starts with
 * {@code PublishIT}; {@code BinaryPublishIT} is for binary payloads, and {@code PublishTests} is the application of
 * both. {@code Publisher} and {@code Receipts} are the two ends. Without a server: {@code OutboxBeanTest} in
 * {@code outbox-cdi}.
 */
package io.outboxed.it.publish;
