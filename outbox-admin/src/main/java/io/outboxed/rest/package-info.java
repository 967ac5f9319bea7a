/**
 * The admin API over HTTP. Resources read what is sent and call {@link io.outboxed.OutboxAdmin}; everything that
 * operators can do is done there.
 */
package io.outboxed.rest;
