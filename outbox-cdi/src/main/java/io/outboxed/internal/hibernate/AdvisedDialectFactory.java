package io.outboxed.internal.hibernate;

import io.outboxed.OutboxException;
import io.outboxed.internal.config.OutboxConfigReader;
import java.util.Map;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.ConfigProvider;
import org.hibernate.boot.registry.StandardServiceInitiator;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.dialect.Dialect;
import org.hibernate.engine.jdbc.dialect.internal.DialectFactoryImpl;
import org.hibernate.engine.jdbc.dialect.spi.DialectFactory;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolutionInfoSource;
import org.hibernate.service.spi.ServiceRegistryImplementor;

/**
 * Says what to configure if Hibernate could not ask the database for its product, instead of Hibernate's advice to set
 * properties of the unit. On MariaDB 11 MySQL's driver fails when Hibernate asks it for the SQL keywords: "Unknown
 * column 'RESERVED'".
 */
final class AdvisedDialectFactory extends DialectFactoryImpl {
    static final StandardServiceInitiator<DialectFactory> INITIATOR = new Initiator();

    private static final String NO_URL = "neither outbox.datasource.url nor outbox.datasource.lookup is set. Unless"
            + " the server or the application defines java:app/jdbc/outbox, set outbox.datasource.url, for example in"
            + " META-INF/microprofile-config.properties or as the environment variable OUTBOX_DATASOURCE_URL.";
    private static final String DEFINED_ELSEWHERE = " If one of them defines it: ";

    private static final String NO_DIALECT = "Hibernate could not detect its SQL dialect: it could not connect to the"
            + " data source, or the driver failed when asked about the database (see the warning before this). Nothing"
            + " was deployed. Set outbox.datasource.dialect to h2, mysql, mariadb or postgresql, or start the database."
            + " If the server is MariaDB 11 or newer and the driver is MySQL's, use MariaDB's driver"
            + " (org.mariadb.jdbc:mariadb-java-client) or set outbox.datasource.dialect=mariadb.";

    private AdvisedDialectFactory() {}

    /** @param database null if Hibernate could not ask it */
    @Override
    public Dialect buildDialect(Map<String, Object> settings, DialectResolutionInfoSource database) {
        if (database == null && settings.get(AvailableSettings.DIALECT) == null) {
            DialectFromUrl.refuseWrongSettings();
            throw new OutboxException(
                    "OUTBOX-0313",
                    (OutboxConfigReader.databaseKey().isPresent() ? "" : NO_URL + unknownKeys() + DEFINED_ELSEWHERE)
                            + NO_DIALECT);
        }
        return super.buildDialect(settings, database);
    }

    /** On Payara the deployment ends here, before they are reported. */
    private static String unknownKeys() {
        return OutboxConfigReader.warnings(ConfigProvider.getConfig()).stream()
                .map(sentence -> " " + sentence + ".")
                .collect(Collectors.joining());
    }

    private static final class Initiator implements StandardServiceInitiator<DialectFactory> {
        @Override
        public Class<DialectFactory> getServiceInitiated() {
            return DialectFactory.class;
        }

        @Override
        public DialectFactory initiateService(Map<String, Object> settings, ServiceRegistryImplementor registry) {
            return new AdvisedDialectFactory();
        }
    }
}
