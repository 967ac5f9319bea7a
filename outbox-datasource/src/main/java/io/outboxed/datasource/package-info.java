/** The data source of the outbox and the application, over the database that is configured. */
package io.outboxed.datasource;
