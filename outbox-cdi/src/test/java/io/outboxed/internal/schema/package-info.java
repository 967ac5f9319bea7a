/**
 * Creating and checking the tables. A new column: the schema files, then {@code SchemaContract}; {@code MutantTables} breaks each column.
 */
package io.outboxed.internal.schema;
