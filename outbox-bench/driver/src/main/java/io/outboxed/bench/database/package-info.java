/** The database under load: how it is started, filled and asked for its counters. */
package io.outboxed.bench.database;
