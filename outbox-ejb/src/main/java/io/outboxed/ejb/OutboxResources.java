package io.outboxed.ejb;

import jakarta.annotation.sql.DataSourceDefinition;
import jakarta.ejb.Singleton;
import jakarta.enterprise.concurrent.ContextServiceDefinition;
import jakarta.enterprise.concurrent.ManagedExecutorDefinition;

/**
 * The data source that the outbox shares with the application, and the relay's threads. On a session bean, because servers
 * read such definitions of a library's classes only from components.
 */
@DataSourceDefinition(
        name = "java:app/jdbc/outbox",
        className = "io.outboxed.ConfiguredDataSource",
        minPoolSize = 0,
        initialPoolSize = 0,
        // twice the most workers, so that a handler may open one more transaction, and four for the application
        maxPoolSize = 100,
        // WildFly refuses a definition without any property
        properties = "prefix=outbox.datasource")
@ContextServiceDefinition(
        name = RelayThreads.LIBRARY_CONTEXT,
        propagated = ContextServiceDefinition.APPLICATION,
        cleared = {ContextServiceDefinition.SECURITY, ContextServiceDefinition.TRANSACTION},
        unchanged = ContextServiceDefinition.ALL_REMAINING)
@ManagedExecutorDefinition(name = RelayThreads.LIBRARY_EXECUTOR, maxAsync = 128, context = RelayThreads.LIBRARY_CONTEXT)
@Singleton
public class OutboxResources {}
