/**
 * What only JDBC can show: plans and borrowed connections. A new statement of the relay starts with
 * {@code PostgreSqlPlansTest}, a new condition on dead letters with {@code DeadLetterPagesContract}, a change of how
 * connections are shared with the application with {@code SharedPoolContract}, one of how long they may work with {@code
 * StatementLimitContract}. Everything else is in the contracts of {@code store}.
 */
package io.outboxed.internal.store.jdbc;
