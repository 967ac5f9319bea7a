package io.outboxed.shop.fulfilment;

import jakarta.enterprise.concurrent.ContextServiceDefinition;
import jakarta.enterprise.concurrent.ManagedExecutorDefinition;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;

/**
 * The executor on which handlers are called: threads for the eight workers, and as many for workers that replace those
 * whose calls hang. Payara looks for such definitions only in the WAR's own classes.
 */
@ContextServiceDefinition(
        name = "java:app/concurrent/outbox-context",
        propagated = ContextServiceDefinition.APPLICATION,
        cleared = {ContextServiceDefinition.SECURITY, ContextServiceDefinition.TRANSACTION},
        unchanged = ContextServiceDefinition.ALL_REMAINING)
@ManagedExecutorDefinition(
        name = "java:app/concurrent/outbox",
        maxAsync = 16,
        context = "java:app/concurrent/outbox-context")
@WebListener
public class FulfilmentExecutor implements ServletContextListener {}
