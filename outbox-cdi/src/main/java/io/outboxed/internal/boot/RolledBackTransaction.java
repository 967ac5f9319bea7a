package io.outboxed.internal.boot;

import jakarta.transaction.UserTransaction;
import javax.naming.InitialContext;

/** A JTA transaction of its own that is rolled back whatever happens in it. */
@FunctionalInterface
public interface RolledBackTransaction {

    /** Without a container that begins transactions itself. Not allowed inside {@code @Transactional}. */
    RolledBackTransaction OF_USER = work -> {
        UserTransaction transaction = (UserTransaction) new InitialContext().lookup("java:comp/UserTransaction");
        transaction.begin();
        try {
            work.run();
        } finally {
            transaction.rollback();
        }
    };

    /** @throws Exception what the work has thrown, or any exception of JTA */
    void run(Work work) throws Exception;

    /** What is done in the transaction. */
    @FunctionalInterface
    interface Work {
        /** @throws Exception any exception of JDBC or JPA */
        void run() throws Exception;
    }
}
