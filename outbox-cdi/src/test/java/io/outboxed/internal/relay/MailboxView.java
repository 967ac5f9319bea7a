package io.outboxed.internal.relay;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** Whether a loop's inbox would wake it. */
final class MailboxView {
    private static final VarHandle REPORTS = field("reports", ConcurrentLinkedQueue.class);
    private static final VarHandle SIGNALLED = field("signalled", AtomicLong.class);

    private final ConcurrentLinkedQueue<?> reports;
    private final AtomicLong signalled;

    MailboxView(Mailbox mailbox) {
        this.reports = (ConcurrentLinkedQueue<?>) REPORTS.get(mailbox);
        this.signalled = (AtomicLong) SIGNALLED.get(mailbox);
    }

    boolean hasMail() {
        return !reports.isEmpty() || signalled.get() != 0;
    }

    private static VarHandle field(String name, Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(Mailbox.class, MethodHandles.lookup())
                    .findVarHandle(Mailbox.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
