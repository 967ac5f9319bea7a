/**
 * Settings. A new key: {@code OutboxConfigReaderTest}; its limits and its message: {@code WrongSettingsTest}; what a type
 * or handler overrides: {@code PolicyOverridesTest}.
 */
package io.outboxed.internal.config;
