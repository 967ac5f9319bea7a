package io.outboxed.internal.testkit.standalone;

import jakarta.transaction.TransactionManager;
import jakarta.transaction.UserTransaction;
import org.hibernate.engine.transaction.jta.platform.internal.AbstractJtaPlatform;
import org.hibernate.engine.transaction.jta.platform.internal.JtaSynchronizationStrategy;
import org.hibernate.engine.transaction.jta.platform.internal.SynchronizationRegistryBasedSynchronizationStrategy;

/** Narayana as Hibernate sees it in a server: a session may begin while the transaction commits. */
final class TestJtaPlatform extends AbstractJtaPlatform {
    private static final long serialVersionUID = 1L;

    private final transient Transactions transactions;
    private final transient JtaSynchronizationStrategy synchronizations;

    TestJtaPlatform(Transactions transactions) {
        this.transactions = transactions;
        this.synchronizations = new SynchronizationRegistryBasedSynchronizationStrategy(transactions::registry);
    }

    @Override
    protected JtaSynchronizationStrategy getSynchronizationStrategy() {
        return synchronizations;
    }

    @Override
    protected TransactionManager locateTransactionManager() {
        return transactions.manager();
    }

    @Override
    protected UserTransaction locateUserTransaction() {
        return transactions.user();
    }
}
