/**
 * What a relay asks of its tables: one method, one transaction. JDK only.
 *
 * <p>A message row is READY (found by shard), PARKED (waits in its lane as a whole) or SPLIT (what is left of it are its
 * delivery rows). Acknowledgements (a handler succeeded) need no fence; what is decided (retry, park, dead letter) is written in
 * a short transaction that first locks the shard row with owner and epoch.
 */
package io.outboxed.internal.store;
