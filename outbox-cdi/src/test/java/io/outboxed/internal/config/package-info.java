/** Settings. A new key, its limits and its message: {@code OutboxConfigReaderTest}. */
package io.outboxed.internal.config;
