package io.outboxed.internal.testkit;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.UserTransaction;
import javax.naming.InitialContext;

/** A transaction of the test's own. To be called without one. */
@ApplicationScoped
class TestTransaction {

    void run(Runnable work) {
        UserTransaction transaction = begun();
        try {
            work.run();
        } catch (Throwable e) {
            // also a checked exception, which Kotlin and generics can throw
            rollBack(transaction, e);
            throw e;
        }
        try {
            transaction.commit();
        } catch (Exception e) {
            throw new IllegalStateException("the test's transaction could not be committed", e);
        }
    }

    private static UserTransaction begun() {
        try {
            UserTransaction transaction = (UserTransaction) new InitialContext().lookup("java:comp/UserTransaction");
            transaction.begin();
            return transaction;
        } catch (Exception e) {
            throw new IllegalStateException("the test's transaction could not be begun", e);
        }
    }

    private static void rollBack(UserTransaction transaction, Throwable failure) {
        try {
            transaction.rollback();
        } catch (Exception e) {
            failure.addSuppressed(e);
        }
    }
}
