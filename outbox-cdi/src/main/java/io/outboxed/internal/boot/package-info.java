/**
 * Opens and checks the database and starts the relay. What a container must add are threads and a clock: {@code outbox-ejb}
 * has both.
 */
package io.outboxed.internal.boot;
