package io.outboxed.internal.hibernate;

import io.outboxed.OutboxException;
import io.outboxed.internal.log.OutboxLog;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.engine.jdbc.connections.spi.JdbcConnectionAccess;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.integrator.spi.Integrator;
import org.hibernate.service.spi.SessionFactoryServiceRegistry;
import org.hibernate.tool.schema.Action;
import org.hibernate.tool.schema.spi.SchemaManagementToolCoordinator.ActionGrouping;

/**
 * Refuses what a persistence unit is about to do with its tables: with those of the outbox, and with a database that is
 * down. Hibernate calls this before it touches a table, and after it has found its dialect.
 */
public class SchemaActions implements Integrator {

    @Override
    public void integrate(Metadata model, BootstrapContext context, SessionFactoryImplementor factory) {
        Map<String, Object> settings = factory.getProperties();
        Action action = action(model, settings);
        if (action == Action.NONE) {
            return;
        }
        String unit = "the persistence unit " + settings.get(AvailableSettings.PERSISTENCE_UNIT_NAME)
                + " has the schema action " + name(action);
        if (action != Action.VALIDATE && model.getEntityBinding(OutboxRow.class.getName()) != null) {
            throw refused(
                    "OUTBOX-0315",
                    unit + " and contains the entity " + OutboxRow.class.getName()
                            + " of Outboxed: it would create or drop a table of the outbox. Nothing was changed."
                            + " Leave that class out of the unit (<class>, <jar-file>, <exclude-unlisted-classes>), and"
                            + " query waiting events in the unit outbox",
                    null);
        }
        if (settings.get(AvailableSettings.JAKARTA_HBM2DDL_CONNECTION) == null) {
            requireDatabase(unit, factory.getJdbcServices().getBootstrapJdbcConnectionAccess());
        }
    }

    /** Two properties can say it, and JPA's wins. */
    private static Action action(Metadata model, Map<String, Object> settings) {
        return ActionGrouping.interpret(model, settings).stream()
                .map(ActionGrouping::getDatabaseAction)
                .filter(each -> each != Action.NONE)
                .findFirst()
                .orElse(Action.NONE);
    }

    /** As in persistence.xml. Only Hibernate's own property has a name for each action. */
    private static String name(Action action) {
        return action.getExternalJpaName() != null ? action.getExternalJpaName() : action.getExternalHbm2ddlName();
    }

    private static OutboxException refused(String id, String text, Throwable cause) {
        OutboxException refused = new OutboxException(id, text, cause);
        OutboxLog.deploymentRefused(refused);
        return refused;
    }

    private static void requireDatabase(String unit, JdbcConnectionAccess access) {
        try {
            Connection connection = access.obtainConnection();
            try {
                // Open Liberty hands out a placeholder during the deployment, which fails when it is used
                connection.createStatement().close();
            } finally {
                access.releaseConnection(connection);
            }
        } catch (SQLException | RuntimeException e) {
            throw refused(
                    "OUTBOX-0316",
                    unit + ", which needs its database during the deployment, but could not connect to it. Nothing was"
                            + " deployed. Start the database; or create the tables in another way, and"
                            + " remove jakarta.persistence.schema-generation.database.action and"
                            + " hibernate.hbm2ddl.auto. On Open Liberty no unit of Hibernate can connect during the"
                            + " deployment.",
                    e);
        }
    }

    @Override
    public void disintegrate(SessionFactoryImplementor factory, SessionFactoryServiceRegistry registry) {}
}
