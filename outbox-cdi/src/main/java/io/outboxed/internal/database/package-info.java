/**
 * Connections, and what differs between databases. JDK only.
 */
package io.outboxed.internal.database;
