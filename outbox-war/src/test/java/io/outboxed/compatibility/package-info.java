/**
 * The tables of servers, JDKs and databases in the documents: {@code CompatibilityPageTest} compares them with the
 * last full run. A new column or another layout starts with {@code CompatibilityTables}; {@code Cell} is one run of
 * the server tests.
 */
package io.outboxed.compatibility;
