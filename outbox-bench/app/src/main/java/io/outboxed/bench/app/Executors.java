package io.outboxed.bench.app;

import jakarta.enterprise.concurrent.ContextServiceDefinition;
import jakarta.enterprise.concurrent.ManagedExecutorDefinition;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;

/** The executor of the load generators. The relay runs on the server's default executor if that can run all workers. */
@ContextServiceDefinition(
        name = "java:app/concurrent/bench-context",
        propagated = ContextServiceDefinition.APPLICATION,
        cleared = {ContextServiceDefinition.SECURITY, ContextServiceDefinition.TRANSACTION},
        unchanged = ContextServiceDefinition.ALL_REMAINING)
@ManagedExecutorDefinition(name = Executors.LOAD, maxAsync = 64, context = "java:app/concurrent/bench-context")
@WebListener
public class Executors implements ServletContextListener {
    static final String LOAD = "java:app/concurrent/bench-load";
}
