package io.outboxed.internal.testkit.standalone;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.TransactionRequiredException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What a container injects for {@code @PersistenceContext}: one persistence context for each transaction. Without a
 * transaction each call has its own; it is closed after {@code find}, so that the entity is detached as in a server, but
 * not after other calls, because a query may still need it.
 */
final class TransactionEntityManager implements InvocationHandler {
    private static final Set<String> NEED_TRANSACTION =
            Set.of("persist", "merge", "remove", "refresh", "flush", "lock", "joinTransaction");

    private final Supplier<EntityManagerFactory> factory;
    private final Transactions transactions;

    private TransactionEntityManager(Supplier<EntityManagerFactory> factory, Transactions transactions) {
        this.factory = factory;
        this.transactions = transactions;
    }

    static EntityManager of(Supplier<EntityManagerFactory> factory, Transactions transactions) {
        return (EntityManager) Proxy.newProxyInstance(
                TransactionEntityManager.class.getClassLoader(),
                new Class<?>[] {EntityManager.class},
                new TransactionEntityManager(factory, transactions));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "getEntityManagerFactory":
                return factory.get();
            case "close":
                throw new IllegalStateException("the container closes this entity manager");
            case "equals":
                return proxy == arguments[0];
            case "hashCode":
                return System.identityHashCode(proxy);
            default:
                return call(method, arguments);
        }
    }

    private Object call(Method method, Object[] arguments) throws Throwable {
        boolean detaches = method.getName().equals("find") && !transactions.isActive();
        EntityManager current = current(method.getName());
        try {
            return method.invoke(current, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        } finally {
            if (detaches) {
                current.close();
            }
        }
    }

    private EntityManager current(String method) {
        EntityManagerFactory unit = factory.get();
        if (!transactions.isActive()) {
            if (NEED_TRANSACTION.contains(method)) {
                throw new TransactionRequiredException(method + " needs a transaction");
            }
            return unit.createEntityManager();
        }
        if (transactions.registry().getResource(unit) instanceof EntityManager begun) {
            return begun;
        }
        EntityManager begun = unit.createEntityManager();
        transactions.registry().putResource(unit, begun);
        transactions.afterCompletion(begun::close);
        return begun;
    }
}
