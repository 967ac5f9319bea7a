package io.outboxed.internal.report;

import io.outboxed.internal.database.DatabaseDescription;

/**
 * What this deployment found around it.
 *
 * @param server as the servlet container names itself
 * @param persistence the JPA provider of the unit {@code outbox}
 * @param dataSource whose definition it is
 * @param node under which name the relay joined; null where it is disabled
 */
public record Environment(
        String server, String persistence, DatabaseDescription database, String dataSource, String node) {}
