/** What {@code outbox check} examines: the privileges of an account, and settings of the database that do harm. */
package io.outboxed.internal.operations.check;
