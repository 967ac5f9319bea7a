/**
 * Real database servers for tests and for the demo, started from binaries that Maven Central distributes: nothing has
 * to be installed, and a test can kill what it started.
 */
package io.outboxed.servers;
