package io.outboxed.internal.relay;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Whether a loop's inbox would wake it. */
final class InboxView {
    private static final VarHandle REPORTS = field("reports", ConcurrentLinkedQueue.class);
    private static final VarHandle SIGNALLED = field("signalled", AtomicLong.class);

    private final ConcurrentLinkedQueue<?> reports;
    private final AtomicLong signalled;

    InboxView(Inbox inbox) {
        this.reports = (ConcurrentLinkedQueue<?>) REPORTS.get(inbox);
        this.signalled = (AtomicLong) SIGNALLED.get(inbox);
    }

    boolean hasMail() {
        return !reports.isEmpty() || signalled.get() != 0;
    }

    private static VarHandle field(String name, Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(Inbox.class, MethodHandles.lookup())
                    .findVarHandle(Inbox.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
