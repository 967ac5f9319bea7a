/**
 * Settings. A new key starts with {@code OutboxConfigReaderTest}; its limits and error messages are in
 * {@code WrongSettingsTest}, misspelt keys in {@code UnknownKeysTest}. What a type or handler overrides is in
 * {@code PolicyOverridesTest}. {@code GivenSettings} supplies settings as a file would. {@code ConfigurationPageTest}
 * requires a new key in docs/configuration.md.
 */
package io.outboxed.internal.config;
