/** The container's part: database, threads and clock of the relay. */
package io.outboxed.ejb;
