/**
 * What an operator can do, as the Java API, the command line and the admin API must do it alike. {@code
 * OperatorContract} collects the tests for one of them; each has an {@link io.outboxed.operator.Operator} that translates
 * and nothing else: {@code JavaOperator} beside this package, {@code CommandOperator} in outbox-cli and {@code
 * RestOperator} in outbox-war.
 */
package io.outboxed.operator;
