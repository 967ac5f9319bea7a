/**
 * Tests that docs/guarantees.md names fail without what they guard. {@code GuardTable} reads the tables in {@code
 * src/test/resources/guards}, {@code GuardTest} checks them in the build, and {@code GuardRun} shows that the tests bite.
 */
package io.outboxed.guards;
