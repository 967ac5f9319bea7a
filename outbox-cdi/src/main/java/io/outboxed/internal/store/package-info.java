/**
 * What the tables hold. Plain JDBC and the JDK only: the command line and the contract tests run it without a server.
 *
 * <p>A message row is READY (found by shard), PARKED (waits in its lane as a whole) or SPLIT (what is left of it are its
 * delivery rows). Facts (a handler succeeded) need no fence; decisions (retry, park, dead) run in a short transaction
 * that first locks the shard row with owner and epoch.
 */
package io.outboxed.internal.store;
