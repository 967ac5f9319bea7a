/** The database under load: starting it, filling it and reading its counters. */
package io.outboxed.bench.database;
