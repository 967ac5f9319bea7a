/** Start with {@code FreePortTest}: which ports servers are started on. */
package io.outboxed.servers.process;
