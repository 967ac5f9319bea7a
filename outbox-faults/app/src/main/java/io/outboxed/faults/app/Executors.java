package io.outboxed.faults.app;

import jakarta.enterprise.concurrent.ContextServiceDefinition;
import jakarta.enterprise.concurrent.ManagedExecutorDefinition;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;

/** The executor of the writers. */
@ContextServiceDefinition(
        name = "java:app/concurrent/faults-context",
        propagated = ContextServiceDefinition.APPLICATION,
        cleared = {ContextServiceDefinition.SECURITY, ContextServiceDefinition.TRANSACTION},
        unchanged = ContextServiceDefinition.ALL_REMAINING)
@ManagedExecutorDefinition(name = Executors.WRITERS, maxAsync = 8, context = "java:app/concurrent/faults-context")
@WebListener
public class Executors implements ServletContextListener {
    static final String WRITERS = "java:app/concurrent/faults-writers";
}
