package io.outboxed.internal.capture;

import io.outboxed.internal.config.OutboxConfigReader;
import java.util.Map;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.service.spi.ServiceContributor;

/**
 * Lets an application be deployed while its database is down: Hibernate would ask the database for its dialect, and here
 * the configured URL answers. For persistence units with the property {@code io.outboxed.dialect=configured}.
 */
public class DialectFromUrl implements ServiceContributor {
    private static final String PROPERTY = "io.outboxed.dialect";
    private static final Map<String, String> DIALECTS = Map.of(
            "h2", "org.hibernate.dialect.H2Dialect",
            "mysql", "org.hibernate.dialect.MySQLDialect",
            "mariadb", "org.hibernate.dialect.MariaDBDialect",
            "postgresql", "org.hibernate.dialect.PostgreSQLDialect");

    @Override
    public void contribute(StandardServiceRegistryBuilder registry) {
        Map<String, Object> settings = registry.getSettings();
        if ("configured".equals(settings.get(PROPERTY)) && !settings.containsKey(AvailableSettings.DIALECT)) {
            OutboxConfigReader.dataSourceUrl()
                    .map(url -> url.split(":", 3))
                    .filter(parts -> parts.length == 3)
                    .map(parts -> DIALECTS.get(parts[1]))
                    .ifPresent(dialect -> registry.applySetting(AvailableSettings.DIALECT, dialect));
        }
    }
}
