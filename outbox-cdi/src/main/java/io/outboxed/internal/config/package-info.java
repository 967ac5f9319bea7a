/**
 * The configuration and its validation: {@code ConfigKeys} lists every key, {@code OutboxConfigReader} reads them,
 * {@code OutboxConfig} holds the result and all defaults.
 */
package io.outboxed.internal.config;
