/** What the server's health probes are answered: from memory, never by a query. */
package io.outboxed.internal.health;
