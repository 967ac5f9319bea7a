package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.relay.writes.FencedWriteBuffer;
import io.outboxed.internal.store.cluster.Lease;
import java.sql.SQLException;

/** A relay's decision, whose connection is lost in the commit, before or after the database has made it. */
final class LostAnswer {
    private final Lease lease;
    private final FencedWriteBuffer writes;
    private boolean connected;
    private int told;
    private int made = 1;

    LostAnswer(RelayStore store, Lease lease, FencedWrite decision, boolean committed) {
        this(
                store,
                lease,
                decision,
                committed,
                new StoreException("the connection was lost", true, new SQLException("lost", "08006")));
        assertThat(writes.flush()).isFalse();
    }

    private LostAnswer(
            RelayStore store, Lease lease, FencedWrite decision, boolean committed, RuntimeException failure) {
        this.lease = lease;
        RelayStore reached = Ports.through((proxy, method, arguments) -> {
            Object result = connected || committed ? Ports.call(store, method, arguments) : null;
            if (!connected) {
                throw failure;
            }
            return result;
        });
        this.writes = new FencedWriteBuffer(reached.writes(), new Refused(), System::nanoTime);
        writes.add(lease, decision, () -> told++);
    }

    /** The driver fails after the commit, with an exception that is none of the database. */
    static LostAnswer byBugOfDriver(RelayStore store, Lease lease, FencedWrite decision) {
        RuntimeException bug = new IllegalStateException("the driver's bug");
        LostAnswer lost = new LostAnswer(store, lease, decision, true, bug);
        assertThatThrownBy(lost.writes::flush).isSameAs(bug);
        return lost;
    }

    private static final class Refused implements FencedWriteBuffer.RejectionListener {
        @Override
        public void lost(Lease of) {
            throw new AssertionError("lost: " + of);
        }

        @Override
        public void rejected(Lease of, long lane) {
            throw new AssertionError("rejected: " + of + " " + lane);
        }
    }

    /** Another one that is written together with the repetition. */
    void add(FencedWrite decision) {
        writes.add(lease, decision, () -> told++);
        made++;
    }

    void repeat() {
        assertThat(told).isZero();
        connected = true;
        assertThat(writes.flush()).isTrue();
        assertThat(told).isEqualTo(made);
        assertThat(writes.isEmpty()).isTrue();
    }
}
