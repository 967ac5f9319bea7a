package io.outboxed.internal.capture;

import io.outboxed.OutboxException;
import io.outboxed.internal.capture.transaction.CallerTransaction;
import io.outboxed.internal.capture.transaction.SilentRollback;
import io.outboxed.internal.database.RetryAdvice;
import io.outboxed.internal.store.jdbc.caller.InboxEntry;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;

/** Rows of the inbox in the calling thread's transaction. A row identifies the call that has inserted it. */
@ApplicationScoped
public class InboxRows {
    /** Followed by an event type, this is the receiver of publish keys. */
    private static final String PUBLISH = "publish:";
    /** The receiver of ids; no event type contains a space. */
    private static final String PUBLISHED_ID = PUBLISH + " id";

    private static final int MAX_LENGTH = 255;

    @Inject
    CallerTransaction transaction;

    @Inject
    CaptureStore store;

    /** Whether this is the receiver's first call for the message. If so, this transaction has inserted the row. */
    public boolean isFirstCall(String receiver, String messageId) {
        checkReceiver(receiver);
        UUID call = UUID.randomUUID();
        return firstCall(receiver, checked(messageId, "message id"), call).equals(call);
    }

    /** @throws OutboxException if it can't be the receiver of an effect */
    public static void checkReceiver(String receiver) {
        if (checked(receiver, "receiver").startsWith(PUBLISH)) {
            throw rejected(
                    "receiver", "begins with \"" + PUBLISH + "\", which is reserved for publish keys: rename it");
        }
    }

    /** @return the id of the first event of this type with this key, which is the given id if the key is new */
    UUID first(String type, String key, UUID id) {
        return firstCall(PUBLISH + type, checked(key, "publish key"), id);
    }

    /**
     * Whether this is the first event to be published with this id. If it is older than the retention, only the event
     * itself can show that the id was used.
     */
    boolean isFirstUse(UUID id) {
        UUID call = UUID.randomUUID();
        return firstCall(PUBLISHED_ID, id.toString(), call).equals(call)
                && !orRollBack(PUBLISHED_ID, () -> store.isStored(id));
    }

    private UUID firstCall(String receiver, String messageId, UUID call) {
        return orRollBack(receiver, () -> {
            UUID first = store.firstCall(receiver, messageId, call);
            if (first.equals(call)) {
                SilentRollback.detect(
                        transaction.registry(), new InboxEntry(receiver, messageId, call), store::missing);
            }
            return first;
        });
    }

    private <T> T orRollBack(String receiver, Supplier<T> statement) {
        return transaction.orMark(
                statement,
                e -> new OutboxException(
                        "OUTBOX-0143",
                        "the inbox row of " + receiver + " could not be written, so nothing was run or stored, and the"
                                + " transaction is marked for rollback. " + RetryAdvice.after(e),
                        e));
    }

    private static String checked(String text, String what) {
        Objects.requireNonNull(text, what);
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            throw rejected(what, "has " + text.length() + " characters, allowed are 1 to " + MAX_LENGTH);
        }
        if (text.endsWith(" ")) {
            throw rejected(what, "ends with a space, which some databases ignore in comparisons: remove it");
        }
        StorableText.utf8Bytes(text, "the " + what);
        return text;
    }

    private static OutboxException rejected(String what, String problem) {
        return new OutboxException("OUTBOX-0142", "the " + what + " " + problem + ". Nothing was run or stored");
    }
}
