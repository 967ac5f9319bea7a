/** What only the holder of a lease may store: collected, written together, and kept while the database can't take it. */
package io.outboxed.internal.relay.writes;
