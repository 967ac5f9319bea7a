/**
 * The relay on a managed executor. The one that an application defines is in {@code ExecutorIT}, the server's default
 * one in {@code DefaultExecutorIT}. {@code Bell} notes the thread and the request context of each call. Without a
 * server: {@code HandlerExecutorTest} in {@code outbox-ejb}.
 */
package io.outboxed.it.executor;
