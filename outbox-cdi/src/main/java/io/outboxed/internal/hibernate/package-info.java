/** What Hibernate has to be told where it can't find it out itself: the server's transactions and the SQL dialect. */
package io.outboxed.internal.hibernate;
