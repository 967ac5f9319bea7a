package io.outboxed.shop;

import jakarta.enterprise.concurrent.ContextServiceDefinition;
import jakarta.enterprise.concurrent.ManagedExecutorDefinition;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;

/** The relay's executor, defined by a class of the WAR itself: Payara 6 does not bind the library's own definition. */
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
public class RelayExecutor implements ServletContextListener {}
