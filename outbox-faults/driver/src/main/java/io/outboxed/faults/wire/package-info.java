/** The network between a node and the database. It can be disturbed, and recognises the statements that pass. */
package io.outboxed.faults.wire;
