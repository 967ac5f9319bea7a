/**
 * The entity of the unit {@code outbox} and how it is inserted. Also what Hibernate has to be told where it can't find
 * it out itself: the server's transactions and the SQL dialect.
 */
package io.outboxed.internal.hibernate;
