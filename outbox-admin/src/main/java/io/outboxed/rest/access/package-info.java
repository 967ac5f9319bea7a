/** Who may do what: one table, checked in one place for each request. */
package io.outboxed.rest.access;
