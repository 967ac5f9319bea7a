package io.outboxed.internal.capture;

import io.outboxed.internal.hibernate.OutboxRow;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.List;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/** What the calling thread's transaction has published. In this package, because only capture knows. */
@ApplicationScoped
public class UncommittedRows {

    /** Empty without a transaction, and once its commit has written the rows. */
    public List<OutboxRow> ofThisTransaction() {
        try {
            TransactionSynchronizationRegistry registry = (TransactionSynchronizationRegistry)
                    new InitialContext().lookup("java:comp/TransactionSynchronizationRegistry");
            return TransactionRows.waiting(registry);
        } catch (NamingException e) {
            throw new IllegalStateException("there is no JTA here", e);
        }
    }
}
