/**
 * What the relay takes from its container. A change of how handlers are run starts with {@code HandlerExecutorTest},
 * one of how an executor is judged with {@code ExecutorProbeTest}, and one of the relay's own threads with
 * {@code FactoryThreadsTest}. The start is in {@code EarlyPreparationTest} and {@code FailedStartTest}, JDBC drivers
 * inside applications in {@code ApplicationDriversTest}. A real container runs in {@code outbox-war}.
 */
package io.outboxed.ejb;
