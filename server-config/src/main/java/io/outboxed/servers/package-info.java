/**
 * Application servers and real databases for tests and for the demo, started from what Maven Central distributes: nothing
 * has to be installed, and a test can kill what it started.
 */
package io.outboxed.servers;
