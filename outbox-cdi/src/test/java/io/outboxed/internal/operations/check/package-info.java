/** What an operator is told about the settings of a database: {@code SettingsCheckTest}. */
package io.outboxed.internal.operations.check;
