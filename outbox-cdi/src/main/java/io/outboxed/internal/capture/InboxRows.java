package io.outboxed.internal.capture;

import io.outboxed.OutboxException;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.jdbc.InboxInsert;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/** Rows of the inbox in the calling thread's transaction, on the connection that events are written on. */
@ApplicationScoped
public class InboxRows {
    /** In front of an event type it is the receiver of publish keys. */
    private static final String PUBLISH = "publish:";

    private static final int MAX_LENGTH = 255;

    @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
    TransactionSynchronizationRegistry transaction;

    @Inject
    JpaUnit unit;

    @Inject
    OutboxConfig config;

    private volatile InboxInsert insert;

    /** Whether this is the receiver's first call for the message; its transaction then has the row. */
    public boolean isFirst(String receiver, String messageId) {
        if (receiver.startsWith(PUBLISH)) {
            throw new OutboxException(
                    "OUTBOX-0142",
                    "the receiver begins with \"" + PUBLISH + "\", which is used for publish keys: choose another name."
                            + " Nothing was run");
        }
        UUID claim = UUID.randomUUID();
        return claim(checked(receiver, "receiver"), checked(messageId, "message id"), claim)
                .equals(claim);
    }

    /** @return the id of the first event of that type with that key, which is the given one if it is new */
    UUID first(String type, String key, UUID id) {
        return claim(PUBLISH + type, checked(key, "publish key"), id);
    }

    private UUID claim(String receiver, String messageId, UUID claim) {
        AtomicReference<UUID> found = new AtomicReference<>();
        try {
            unit.write(connection -> found.set(insert(connection).claim(connection, receiver, messageId, claim)));
        } catch (RuntimeException e) {
            // on MySQL a deadlock has undone everything so far: what follows must not be committed alone
            transaction.setRollbackOnly();
            throw new OutboxException(
                    "OUTBOX-0143",
                    "the row of " + receiver
                            + " in the inbox could not be written, so nothing was run or stored and the"
                            + " transaction must roll back; the cause has the database's error. After a deadlock or a"
                            + " timeout, repeat the whole transaction",
                    e);
        }
        return found.get();
    }

    /** The database is asked which one it is by the first call: while this bean is made, it may be down. */
    private InboxInsert insert(Connection connection) throws SQLException {
        if (insert == null) {
            insert = new InboxInsert(
                    Dialect.from(connection.getMetaData()), config.database().tablePrefix());
        }
        return insert;
    }

    private static String checked(String text, String what) {
        Objects.requireNonNull(text, what);
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            throw refused(what, "has " + text.length() + " characters, allowed are 1 to " + MAX_LENGTH);
        }
        if (text.endsWith(" ")) {
            throw refused(what, "ends with a space, which some databases ignore when they compare: remove it");
        }
        StorableText.utf8Bytes(text, "the " + what);
        return text;
    }

    private static OutboxException refused(String what, String problem) {
        return new OutboxException("OUTBOX-0142", "the " + what + " " + problem + ". Nothing was run or stored");
    }
}
