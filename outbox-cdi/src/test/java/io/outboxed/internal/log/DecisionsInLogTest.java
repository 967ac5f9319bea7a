package io.outboxed.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.store.FencedWrite;
import io.outboxed.internal.store.LaneWait;
import io.outboxed.internal.store.cluster.Lease;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecisionsInLogTest {
    private static final Lease LEASE = new Lease(5, "node", 1);

    @Test
    void a_decision_that_is_not_stored_is_named_in_words() {
        try (CapturedLog log = new CapturedLog()) {
            IllegalStateException cause = new IllegalStateException("refused");
            OutboxLog.writeRejected(LEASE, new FencedWrite.Park(1, List.of()), cause);
            OutboxLog.writeKept(LEASE, new FencedWrite.PauseLane(new LaneWait(1, 5, "mail")), cause);

            assertThat(log.lines.get(0)).contains("OUTBOX-0422 the database rejected the parking of rows in shard 5;");
            assertThat(log.lines.get(1))
                    .contains("OUTBOX-0469 the database can't store the pause of an aggregate in shard 5:");
        }
    }
}
