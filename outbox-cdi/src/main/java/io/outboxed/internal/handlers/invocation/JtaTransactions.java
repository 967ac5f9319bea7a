package io.outboxed.internal.handlers.invocation;

import io.outboxed.OutboxException;
import io.outboxed.internal.capture.transaction.RollbackMark;
import jakarta.enterprise.context.Dependent;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.UserTransaction;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/** The server's transactions, looked up under the JNDI names that Jakarta EE defines. */
@Dependent
class JtaTransactions implements Transactions {
    // stateless access to the calling thread's transaction, shared by all threads: a JNDI lookup costs more than a
    // delivery
    private volatile UserTransaction user;
    private volatile TransactionSynchronizationRegistry registry;

    @Override
    public void timeout(int seconds) throws SystemException {
        user().setTransactionTimeout(seconds);
    }

    @Override
    public void begin() throws SystemException {
        try {
            user().begin();
        } catch (NotSupportedException e) {
            throw new IllegalStateException("a transaction is already active on this thread", e);
        }
    }

    @Override
    public void commit() throws Exception {
        user().commit();
    }

    @Override
    public void rollback() throws SystemException {
        user().rollback();
    }

    @Override
    public void setRollbackOnly() {
        registry().setRollbackOnly();
    }

    @Override
    public int status() {
        return registry().getTransactionStatus();
    }

    @Override
    public Object key() {
        return registry().getTransactionKey();
    }

    @Override
    public RollbackMark mark() {
        return RollbackMark.of(registry());
    }

    @Override
    public void listen(Synchronization synchronization) {
        registry().registerInterposedSynchronization(synchronization);
    }

    private UserTransaction user() {
        if (user == null) {
            user = lookup("java:comp/UserTransaction", UserTransaction.class);
        }
        return user;
    }

    private TransactionSynchronizationRegistry registry() {
        if (registry == null) {
            registry = lookup("java:comp/TransactionSynchronizationRegistry", TransactionSynchronizationRegistry.class);
        }
        return registry;
    }

    private static <T> T lookup(String name, Class<T> type) {
        try {
            return type.cast(new InitialContext().lookup(name));
        } catch (NamingException e) {
            throw new OutboxException(
                    "OUTBOX-0540",
                    "this server has no " + name + " on thread "
                            + Thread.currentThread().getName()
                            + ": deliveries need JTA on a thread of the server's own executor",
                    e);
        }
    }
}
