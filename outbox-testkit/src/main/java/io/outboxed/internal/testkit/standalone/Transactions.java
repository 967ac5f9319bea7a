package io.outboxed.internal.testkit.standalone;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.internal.arjuna.objectstore.VolatileStore;
import com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.UserTransaction;
import javax.transaction.xa.XAResource;

/** Narayana, with nothing on disk. */
final class Transactions {
    private final TransactionManager manager;
    private final TransactionSynchronizationRegistry registry = new TransactionSynchronizationRegistryImple();

    Transactions() {
        for (String store : new String[] {null, "stateStore", "communicationStore"}) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreType(VolatileStore.class.getName());
        }
        manager = com.arjuna.ats.jta.TransactionManager.transactionManager();
    }

    TransactionManager manager() {
        return manager;
    }

    TransactionSynchronizationRegistry registry() {
        return registry;
    }

    UserTransaction user() {
        return com.arjuna.ats.jta.UserTransaction.userTransaction();
    }

    /** Whether the calling thread has a transaction that has not ended. */
    boolean isActive() {
        return switch (registry.getTransactionStatus()) {
            case Status.STATUS_NO_TRANSACTION,
                    Status.STATUS_COMMITTED,
                    Status.STATUS_ROLLEDBACK,
                    Status.STATUS_UNKNOWN -> false;
            default -> true;
        };
    }

    void enlist(XAResource resource) {
        try {
            if (!manager.getTransaction().enlistResource(resource)) {
                throw new IllegalStateException("the transaction takes no further resource");
            }
        } catch (Exception e) {
            throw new IllegalStateException("the transaction takes no connection; is it marked for rollback?", e);
        }
    }

    void afterCompletion(Runnable work) {
        registry.registerInterposedSynchronization(new Synchronization() {
            @Override
            public void beforeCompletion() {
                // nothing to do
            }

            @Override
            public void afterCompletion(int status) {
                work.run();
            }
        });
    }

    /** What a test has left open. */
    void rollBackLeftOver() {
        try {
            if (manager.getStatus() != Status.STATUS_NO_TRANSACTION) {
                manager.rollback();
            }
        } catch (SystemException e) {
            throw new IllegalStateException("the transaction that the test has left open could not be rolled back", e);
        }
    }
}
