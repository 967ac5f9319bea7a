package io.outboxed.internal.report;

import io.outboxed.internal.database.DatabaseDescription;
import io.outboxed.internal.store.cluster.RegistrySnapshot;

/**
 * What this deployment has found in its environment.
 *
 * @param server the servlet container's name for itself
 * @param persistence the JPA provider of the unit {@code outbox}
 * @param dataSource where the data source is defined
 * @param executor what handlers are called on
 * @param node the owner id under which the relay has joined; null if it is disabled
 * @param registry the handlers of all deployments
 */
public record Environment(
        String server,
        String persistence,
        DatabaseDescription database,
        String dataSource,
        String executor,
        String node,
        RegistrySnapshot registry) {}
