/** A handler that takes the waiting events of an aggregate in one call, in a server. */
package io.outboxed.it.batch;
