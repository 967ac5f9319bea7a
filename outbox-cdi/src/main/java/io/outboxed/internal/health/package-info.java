/** The server's health probes, answered from memory without a query. */
package io.outboxed.internal.health;
