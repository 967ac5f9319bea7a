package io.outboxed.bench.app;

import jakarta.enterprise.concurrent.ContextServiceDefinition;
import jakarta.enterprise.concurrent.ManagedExecutorDefinition;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;

/** The relay's executor, which on Payara 6 a class of the WAR has to define, and the load generators' own. */
@ContextServiceDefinition(
        name = "java:app/concurrent/outbox-context",
        propagated = ContextServiceDefinition.APPLICATION,
        cleared = {ContextServiceDefinition.SECURITY, ContextServiceDefinition.TRANSACTION},
        unchanged = ContextServiceDefinition.ALL_REMAINING)
@ManagedExecutorDefinition(
        name = "java:app/concurrent/outbox",
        maxAsync = 128,
        context = "java:app/concurrent/outbox-context")
@ManagedExecutorDefinition(name = Executors.LOAD, maxAsync = 64, context = "java:app/concurrent/outbox-context")
@WebListener
public class Executors implements ServletContextListener {
    static final String LOAD = "java:app/concurrent/bench-load";
}
