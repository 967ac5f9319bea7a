package io.outboxed.it.executor;

import jakarta.enterprise.concurrent.ContextServiceDefinition;
import jakarta.enterprise.concurrent.ManagedExecutorDefinition;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;

/** The executor that an application defines for the relay. */
@ContextServiceDefinition(
        name = "java:app/concurrent/outbox-context",
        propagated = ContextServiceDefinition.APPLICATION,
        cleared = {ContextServiceDefinition.SECURITY, ContextServiceDefinition.TRANSACTION},
        unchanged = ContextServiceDefinition.ALL_REMAINING)
@ManagedExecutorDefinition(
        name = "java:app/concurrent/outbox",
        maxAsync = 128,
        context = "java:app/concurrent/outbox-context")
@WebListener
public class OwnExecutor implements ServletContextListener {}
