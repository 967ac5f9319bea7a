/**
 * The tables of servers, JDKs and databases in the documents: {@code CompatibilityPageTest} compares them with the last
 * full run.
 */
package io.outboxed.compatibility;
