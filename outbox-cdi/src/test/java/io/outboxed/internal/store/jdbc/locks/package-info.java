/** Tests of the locks that a node's session holds. */
package io.outboxed.internal.store.jdbc.locks;
