/**
 * The wire between a node and its database. A new fault of the network starts with {@code WireTest}. What the wire
 * understands of the protocols of MySQL and PostgreSQL is in {@code ConversationTest}, with the bytes of the drivers.
 */
package io.outboxed.faults.wire;
