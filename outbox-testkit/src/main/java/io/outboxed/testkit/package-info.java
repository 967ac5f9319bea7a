/**
 * Tests of an application's own events and handlers. {@link io.outboxed.testkit.OutboxTest} runs them in this process,
 * without a server; inside a server a test injects {@link io.outboxed.testkit.OutboxTester}.
 */
package io.outboxed.testkit;
