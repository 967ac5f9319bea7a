package io.outboxed.internal.testkit.standalone;

import jakarta.annotation.Resource;
import jakarta.enterprise.inject.spi.InjectionPoint;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.PersistenceUnit;
import jakarta.transaction.Synchronization;
import jakarta.transaction.UserTransaction;
import java.util.Map;
import java.util.function.Supplier;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.jboss.weld.injection.spi.JpaInjectionServices;
import org.jboss.weld.injection.spi.ResourceInjectionServices;
import org.jboss.weld.injection.spi.ResourceReference;
import org.jboss.weld.injection.spi.ResourceReferenceFactory;
import org.jboss.weld.transaction.spi.TransactionServices;

/** What Weld asks its container for: persistence contexts, resources and transactions. */
final class InjectedResources implements JpaInjectionServices, ResourceInjectionServices, TransactionServices {
    private final PersistenceUnits units;
    private final Transactions transactions;
    private final Map<Class<?>, String> namesByType;

    /** @param namesByType the names of resources that are injected by their type alone */
    InjectedResources(PersistenceUnits units, Transactions transactions, Map<Class<?>, String> namesByType) {
        this.units = units;
        this.transactions = transactions;
        this.namesByType = namesByType;
    }

    @Override
    public ResourceReferenceFactory<EntityManager> registerPersistenceContextInjectionPoint(InjectionPoint point) {
        String unit = units.injected(
                point.getAnnotated().getAnnotation(PersistenceContext.class).unitName(), point);
        return reference(() -> units.entityManager(unit));
    }

    @Override
    public ResourceReferenceFactory<EntityManagerFactory> registerPersistenceUnitInjectionPoint(InjectionPoint point) {
        String unit = units.injected(
                point.getAnnotated().getAnnotation(PersistenceUnit.class).unitName(), point);
        return reference(() -> units.factory(unit));
    }

    @Override
    public ResourceReferenceFactory<Object> registerResourceInjectionPoint(InjectionPoint point) {
        Resource resource = point.getAnnotated().getAnnotation(Resource.class);
        String name = resource.lookup().isEmpty() ? resource.name() : resource.lookup();
        Object type = point.getType();
        return reference(() -> found(name.isEmpty() ? namesByType.getOrDefault(type, type.toString()) : name));
    }

    @Override
    public ResourceReferenceFactory<Object> registerResourceInjectionPoint(String name, String mappedName) {
        return reference(() -> found(name));
    }

    @Override
    public void registerSynchronization(Synchronization synchronization) {
        transactions.registry().registerInterposedSynchronization(synchronization);
    }

    @Override
    public boolean isTransactionActive() {
        return transactions.isActive();
    }

    @Override
    public UserTransaction getUserTransaction() {
        return transactions.user();
    }

    private static Object found(String name) {
        try {
            return new InitialContext().lookup(name);
        } catch (NamingException e) {
            throw new IllegalStateException("a bean needs the resource " + name + ", which only a server has", e);
        }
    }

    private static <T> ResourceReferenceFactory<T> reference(Supplier<T> instance) {
        return () -> new ResourceReference<>() {
            @Override
            public T getInstance() {
                return instance.get();
            }

            @Override
            public void release() {
                // closed with the test class
            }
        };
    }

    @Override
    public void cleanup() {
        // closed with the test class
    }
}
