package io.outboxed.internal.hibernate;

import io.outboxed.OutboxException;
import io.outboxed.internal.config.OutboxConfigReader;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.log.OutboxLog;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.ConfigProvider;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.service.spi.ServiceContributor;

/**
 * Gives Hibernate its dialect from {@code outbox.datasource.dialect} or from the configured URL, so that an application
 * can be deployed while its database is down: otherwise Hibernate asks the database. On Open Liberty asking never
 * works, because persistence units are created with a data source that has no database yet. Applies to persistence
 * units with the property {@code io.outboxed.dialect=configured}.
 */
public class DialectFromUrl implements ServiceContributor {
    private static final String PROPERTY = "io.outboxed.dialect";
    private static final Map<Dialect, String> DIALECTS = Map.of(
            Dialect.H2, "org.hibernate.dialect.H2Dialect",
            Dialect.MYSQL, "org.hibernate.dialect.MySQLDialect",
            Dialect.MARIADB, "org.hibernate.dialect.MariaDBDialect",
            Dialect.POSTGRESQL, "org.hibernate.dialect.PostgreSQLDialect");

    @Override
    public void contribute(StandardServiceRegistryBuilder registry) {
        Map<String, Object> settings = registry.getSettings();
        if (appliesTo(settings) && !settings.containsKey(AvailableSettings.DIALECT)) {
            registry.addInitiator(AdvisedDialectFactory.INITIATOR);
            dialect().map(DIALECTS::get).ifPresent(dialect -> apply(dialect, registry));
        }
    }

    private static Optional<Dialect> dialect() {
        try {
            return OutboxConfigReader.dialect();
        } catch (OutboxException | IllegalArgumentException e) {
            refuseWrongSettings();
            throw e;
        }
    }

    /**
     * On Payara units are created before CDI checks the settings: one that is wrong would hide all others. Only for a
     * unit that fails anyway, because servers create several at a time, and SmallRye's names of keys are not thread-safe
     * while they are listed for the first time (a ConcurrentModificationException on WildFly 39.0.1.Final).
     */
    static void refuseWrongSettings() {
        try {
            OutboxConfigReader.read(ConfigProvider.getConfig());
        } catch (OutboxException e) {
            OutboxLog.deploymentRefused(e);
            throw e;
        }
    }

    private static boolean appliesTo(Map<String, Object> settings) {
        return "configured".equals(settings.get(PROPERTY));
    }

    private static void apply(String dialect, StandardServiceRegistryBuilder registry) {
        registry.applySetting(AvailableSettings.DIALECT, dialect);
        // otherwise Hibernate connects anyway, and logs a stack trace if that fails
        if (!registry.getSettings().containsKey(AvailableSettings.ALLOW_METADATA_ON_BOOT)) {
            registry.applySetting(AvailableSettings.ALLOW_METADATA_ON_BOOT, false);
        }
    }
}
