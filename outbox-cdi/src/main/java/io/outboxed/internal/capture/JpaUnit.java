package io.outboxed.internal.capture;

import io.outboxed.internal.hibernate.OutboxRow;
import io.outboxed.internal.hibernate.RowInsert;
import io.outboxed.internal.schema.JtaProbe;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import java.util.List;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.engine.spi.SharedSessionContractImplementor;

/**
 * The persistence unit {@code outbox} as created by the server. The entity manager must be container-managed: on Payara
 * a plain connection or an application-managed entity manager is not part of the transaction while it commits, so rows
 * would survive a rollback. Payara injects none into a bean that is created while a session bean's transaction commits,
 * so {@code RollbackCheck} creates this one when the application starts.
 */
@ApplicationScoped
public class JpaUnit {

    @PersistenceContext(unitName = "outbox")
    EntityManager unit;

    /** The JPA provider, for the start-up report: servers prefer either their own copy or the application's. */
    public String provider() {
        return describe(unit.getEntityManagerFactory().unwrap(SessionFactory.class));
    }

    /** Inserts messages in the calling thread's transaction, before this method returns. */
    public void insert(List<OutboxRow> rows) {
        RowInsert.insert(unit.unwrap(SharedSessionContractImplementor.class), rows);
    }

    /** Writes on the connection that events are stored on. */
    public void onConnection(JtaProbe.Write write) {
        unit.unwrap(Session.class).doWork(write::on);
    }

    /** Asks the class that is in use for its version: this class may see another copy of the provider. */
    static String describe(Object factory) {
        ClassLoader loader = factory.getClass().getClassLoader();
        try {
            Object version = loader.loadClass("org.hibernate.Version")
                    .getMethod("getVersionString")
                    .invoke(null);
            return "Hibernate ORM " + version + " (unit outbox)";
        } catch (ReflectiveOperationException e) {
            return factory.getClass().getName() + " (unit outbox)";
        }
    }
}
