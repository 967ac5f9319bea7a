package io.outboxed.bench.workloads;

import io.outboxed.bench.Say;
import io.outboxed.bench.database.Shape;
import io.outboxed.internal.store.LaneHash;

/** Aggregate 0 waits for an operator, as after a dead letter with {@code outbox.dead-letter.order=block}. */
record BlockedAggregate(Stage stage, String prefix) {
    private static final long LANE = LaneHash.lane("bench", "0");
    private static final int ALL = 100;

    /** Returns when the relay has met them all and put them aside. */
    static BlockedAggregate withMessages(Stage stage, String prefix, int messages) {
        stage.database()
                .execute("INSERT INTO " + prefix + "lane (lane, handler, shard, resume_at) VALUES (" + LANE + ", '*', "
                        + LaneHash.shard(LANE) + ", NULL)");
        Shape blocked = Shape.of(Shape.TICK, messages, 1).withHotAggregate(ALL);
        stage.backlog().fill(blocked, prefix).release();
        stage.backlog().awaitNoneReady(prefix);
        Say.progress("W6: %,d messages of a blocked aggregate are parked", messages);
        return new BlockedAggregate(stage, prefix);
    }

    void remove() {
        stage.database()
                .execute(
                        "DELETE FROM " + prefix + "message WHERE lane = " + LANE,
                        "DELETE FROM " + prefix + "lane WHERE lane = " + LANE);
    }
}
