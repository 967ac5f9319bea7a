/** The container's part: data source, threads and clock of the relay. */
package io.outboxed.ejb;
