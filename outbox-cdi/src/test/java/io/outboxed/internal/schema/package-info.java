/**
 * Creating and checking the tables.
 *
 * <p>A new column: the schema files, then {@code SchemaContract}. What the check reports about a difference is in
 * {@code SchemaDifferencesContract} and, for MySQL and MariaDB alone, in {@code MySqlSchemaContract};
 * {@code MutantTables} breaks each column. The probes of a data source are in {@code JtaProbeTest} and
 * {@code LockProbeTest}, prefixes and schemas in {@code SqlTextTest}. {@code LayoutZero} makes the tables of layout 0.
 */
package io.outboxed.internal.schema;
