package io.outboxed.internal.capture;

import io.outboxed.internal.schema.JtaProbe;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import org.hibernate.Session;
import org.hibernate.SessionFactory;

/**
 * The unit {@code outbox} as the server has made it. The entity manager must be the container's own: on Payara a plain
 * connection or an application-managed one is not part of the transaction while it commits, and the rows would survive a
 * rollback. Payara injects none into a bean that is made while a session bean's transaction commits, so this one is made
 * when the application starts, by {@code RollbackCheck}.
 */
@ApplicationScoped
public class JpaUnit {

    @PersistenceContext(unitName = "outbox")
    EntityManager unit;

    /** Which provider it has, since servers prefer their own copy, or the application's. For people. */
    public String provider() {
        return describe(unit.getEntityManagerFactory().unwrap(SessionFactory.class));
    }

    /** By the connection that events are written on. */
    public void write(JtaProbe.Write write) {
        unit.unwrap(Session.class).doWork(write::on);
    }

    /** The version is asked of the class that runs, which need not be the one that this class would load. */
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
