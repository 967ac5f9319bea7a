package io.outboxed.internal.operations;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.StoreException;
import java.util.function.Function;
import java.util.function.Supplier;

/** Asks the operations, once there are any, and reports a database that fails under the code of a bean of the API. */
public final class OperationsTemplate {
    private final Supplier<OutboxOperations> operations;
    private final String code;
    private final String subject;
    /** The container creates another object for each {@code get}. */
    private volatile OutboxOperations cached;

    public OperationsTemplate(Supplier<OutboxOperations> operations, String code, String subject) {
        this.operations = operations;
        this.code = code;
        this.subject = subject;
    }

    public <T> T execute(Function<OutboxOperations, T> operation) {
        if (cached == null) {
            cached = operations.get();
        }
        try {
            return operation.apply(cached);
        } catch (StoreException e) {
            throw new OutboxException(
                    code,
                    subject + " could not be read or changed: " + e.getMessage() + ". Changes already made remain; "
                            + (e.isTransient() ? "call again" : "the cause says why"),
                    e);
        }
    }
}
