/** The data source of the outbox and the application, for the configured database. */
package io.outboxed.datasource;
