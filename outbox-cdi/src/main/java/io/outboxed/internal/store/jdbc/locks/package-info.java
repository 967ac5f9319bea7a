/** Locks of the database, held by the session of a node. */
package io.outboxed.internal.store.jdbc.locks;
