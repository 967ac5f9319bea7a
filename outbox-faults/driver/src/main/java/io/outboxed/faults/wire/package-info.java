/** The network between a node and the database, which can be disturbed, and which understands what is said on it. */
package io.outboxed.faults.wire;
