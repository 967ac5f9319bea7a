package io.outboxed.internal.handlers;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.internal.arjuna.objectstore.VolatileStore;
import com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple;
import com.arjuna.ats.jta.common.jtaPropertyManager;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import io.outboxed.internal.capture.transaction.RollbackMark;
import io.outboxed.internal.handlers.invocation.Transactions;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.ArrayList;
import java.util.List;

/**
 * A real transaction manager in this process. As on a server, transactions can't be begun or ended manually inside
 * {@code @Transactional}.
 */
@ApplicationScoped
class NarayanaTransactions implements Transactions {
    static final TransactionManager MANAGER;

    static {
        for (String store : new String[] {"default", "stateStore", "communicationStore"}) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store.equals("default") ? null : store)
                    .setObjectStoreType(VolatileStore.class.getName());
        }
        MANAGER = com.arjuna.ats.jta.TransactionManager.transactionManager();
    }

    private final TransactionSynchronizationRegistry registry = new TransactionSynchronizationRegistryImple();
    private final List<Integer> timeouts = new ArrayList<>();
    private int accepted = Integer.MAX_VALUE;

    TransactionSynchronizationRegistry registry() {
        return registry;
    }

    /** As a transaction manager that drops those that are registered late. */
    void ignoreSynchronizationsAfter(int count) {
        accepted = count;
    }

    /** In seconds; zero: the one of the transaction manager. */
    List<Integer> timeouts() {
        return timeouts;
    }

    @Override
    public void timeout(int seconds) throws SystemException {
        requireAllowed();
        timeouts.add(seconds);
        MANAGER.setTransactionTimeout(seconds);
    }

    @Override
    public void begin() throws SystemException {
        requireAllowed();
        try {
            MANAGER.begin();
        } catch (NotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void commit() throws Exception {
        requireAllowed();
        MANAGER.commit();
    }

    @Override
    public void rollback() throws SystemException {
        requireAllowed();
        MANAGER.rollback();
    }

    /** The interceptors of {@code @Transactional} say so to the provider of {@code UserTransaction}. */
    private static void requireAllowed() {
        if (!jtaPropertyManager
                .getJTAEnvironmentBean()
                .getUserTransactionOperationsProvider()
                .getAvailability()) {
            throw new IllegalStateException("UserTransaction is not allowed inside @Transactional");
        }
    }

    @Override
    public void setRollbackOnly() {
        registry.setRollbackOnly();
    }

    @Override
    public int status() {
        return registry.getTransactionStatus();
    }

    @Override
    public Object key() {
        return registry.getTransactionKey();
    }

    @Override
    public RollbackMark mark() {
        return RollbackMark.of(registry);
    }

    @Override
    public void listen(Synchronization synchronization) {
        if (accepted-- > 0) {
            registry.registerInterposedSynchronization(synchronization);
        }
    }
}
