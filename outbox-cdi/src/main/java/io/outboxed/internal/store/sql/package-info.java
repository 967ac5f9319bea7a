/** Every statement of the relay, of capture and of dead letters. */
package io.outboxed.internal.store.sql;
