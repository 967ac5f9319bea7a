/** Processes that are started, watched, and ended with the JVM that started them. */
package io.outboxed.servers.process;
