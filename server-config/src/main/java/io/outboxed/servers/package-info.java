/**
 * Application servers and real databases for tests and for the demo, from Maven Central: nothing has to be installed,
 * and a test can kill what it has started.
 */
package io.outboxed.servers;
