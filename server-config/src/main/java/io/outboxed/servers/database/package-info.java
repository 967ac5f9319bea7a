/** Real MySQL, MariaDB and PostgreSQL servers, unpacked and started on a free port. */
package io.outboxed.servers.database;
