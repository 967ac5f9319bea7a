package io.outboxed.internal.hibernate;

import jakarta.transaction.TransactionManager;
import jakarta.transaction.UserTransaction;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.hibernate.engine.transaction.jta.platform.internal.AbstractJtaPlatform;
import org.hibernate.engine.transaction.jta.platform.spi.JtaPlatform;
import org.hibernate.engine.transaction.jta.platform.spi.JtaPlatformProvider;

/**
 * Shows Hibernate where Payara and GlassFish keep their transaction manager, which it does not detect by itself. On any
 * other server this provider returns nothing, and Hibernate uses its own detection.
 */
public final class GlassFishJta implements JtaPlatformProvider {
    private static final String TRANSACTION_MANAGER = "java:appserver/TransactionManager";

    @Override
    public JtaPlatform getProvidedJtaPlatform() {
        try {
            TransactionManager manager = InitialContext.doLookup(TRANSACTION_MANAGER);
            return manager == null ? null : new Platform();
        } catch (NamingException absent) {
            return null;
        }
    }

    private static final class Platform extends AbstractJtaPlatform {
        private static final long serialVersionUID = 1L;

        @Override
        protected TransactionManager locateTransactionManager() {
            return (TransactionManager) jndiService().locate(TRANSACTION_MANAGER);
        }

        @Override
        protected UserTransaction locateUserTransaction() {
            return (UserTransaction) jndiService().locate("java:comp/UserTransaction");
        }
    }
}
