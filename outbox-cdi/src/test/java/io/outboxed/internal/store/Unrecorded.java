package io.outboxed.internal.store;

import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.internal.database.ChangeRecorder;
import io.outboxed.internal.store.jdbc.DeadLetterStore;
import io.outboxed.internal.store.jdbc.DeadLetterStore.DeadLetterListener;
import io.outboxed.internal.store.jdbc.DeadLetterStore.Target;
import java.util.UUID;

/** An operator's changes whose place in the order does not matter and of which no audit is kept. */
public final class Unrecorded {
    private Unrecorded() {}

    public static boolean replay(DeadLetterStore letters, UUID messageId, String handler) {
        return letters.replay(Target.whichever(messageId, handler), true, ChangeRecorder.NONE);
    }

    static boolean discard(DeadLetterStore letters, UUID messageId, String handler) {
        return letters.discard(Target.whichever(messageId, handler), ChangeRecorder.NONE);
    }

    static int replay(DeadLetterStore letters, DeadLetterFilter filter, int atMost, DeadLetterListener listener) {
        return letters.replay(filter, atMost, true, ChangeRecorder.NONE, listener);
    }

    static int discard(DeadLetterStore letters, DeadLetterFilter filter, int atMost, DeadLetterListener listener) {
        return letters.discard(filter, atMost, ChangeRecorder.NONE, listener);
    }
}
