package io.outboxed.ejb;

import jakarta.ejb.Singleton;
import jakarta.enterprise.concurrent.ContextServiceDefinition;
import jakarta.enterprise.concurrent.ManagedExecutorDefinition;

/** The relay's threads. On a session bean, because servers read such definitions of a library's classes only from components. */
@ContextServiceDefinition(
        name = RelayThreads.LIBRARY_CONTEXT,
        propagated = ContextServiceDefinition.APPLICATION,
        cleared = {ContextServiceDefinition.SECURITY, ContextServiceDefinition.TRANSACTION},
        unchanged = ContextServiceDefinition.ALL_REMAINING)
@ManagedExecutorDefinition(name = RelayThreads.LIBRARY_EXECUTOR, maxAsync = 128, context = RelayThreads.LIBRARY_CONTEXT)
@Singleton
public class OutboxResources {}
