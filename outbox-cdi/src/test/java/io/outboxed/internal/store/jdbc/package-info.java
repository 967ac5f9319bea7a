/**
 * What only JDBC can show: plans, locks and borrowed connections. Everything else is in the contracts of {@code store}.
 */
package io.outboxed.internal.store.jdbc;
