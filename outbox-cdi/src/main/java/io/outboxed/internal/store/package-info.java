/**
 * The relay's view of its tables: one method, one transaction. JDK only.
 *
 * <p>A message row is READY (found by shard), PARKED (waits in its lane as a whole) or SPLIT (its remaining work is in
 * its delivery rows). Acknowledgements (a handler succeeded) need no fence; decisions (retry, park, dead letter) are
 * written in a short transaction that first locks the shard row and compares owner and epoch.
 */
package io.outboxed.internal.store;
