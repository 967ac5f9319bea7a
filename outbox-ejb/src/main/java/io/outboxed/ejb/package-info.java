/** The container's part: threads and clock of the relay. */
package io.outboxed.ejb;
