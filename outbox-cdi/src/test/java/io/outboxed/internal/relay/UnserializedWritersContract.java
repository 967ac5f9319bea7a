package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.metrics.CapturedLog;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Two transactions of one aggregate that overlap, on a real database. */
abstract class UnserializedWritersContract {
    private static final int LANE = 7;

    /** With empty tables. */
    abstract LiveDatabase database() throws SQLException;

    @Test
    void the_one_that_commits_last_although_its_event_was_numbered_first_is_reported() throws SQLException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        try (LiveDatabase database = database();
                CapturedLog log = new CapturedLog();
                LiveNode live = new LiveNode(database, OutboxConfig.DEFAULTS, Map.of("ship", delivery -> {
                    begun.countDown();
                    try {
                        released.await();
                    } catch (InterruptedException e) {
                        return new Outcome.Failed(e);
                    }
                    return new Outcome.Done(false);
                }))) {
            try (Connection numberedFirst = live.beginElsewhere(LANE)) {
                live.publishHere(LANE);
                live.until("the event that was numbered last is called", () -> begun.getCount() == 0);
                assertThat(log.lines).noneMatch(line -> line.contains("OUTBOX-0417"));
                numberedFirst.commit();
            }
            live.until("it is reported", () -> log.lines.stream().anyMatch(line -> line.contains("OUTBOX-0417")));
            released.countDown();
            live.until("both are delivered", live::isEmpty);
        }
    }
}
