package io.outboxed.bench.workloads;

import io.outboxed.bench.Say;
import io.outboxed.bench.database.Shape;
import io.outboxed.internal.store.LaneHash;

/**
 * The first message of aggregate 0 waits for an operator, as after a dead letter with {@code
 * outbox.dead-letter.order=block}, and all others wait behind it. The rows are written in the state in which the relay
 * would leave them after setting them aside one by one.
 */
record BlockedAggregate(Stage stage, String prefix) {
    private static final long LANE = LaneHash.lane("bench", "0");
    private static final int ALL = 100;

    static BlockedAggregate withMessages(Stage stage, String prefix, int messages) {
        stage.backlog().prepare(Shape.of(Shape.TICK, messages, 1).withHotAggregate(ALL));
        String handler = "(SELECT MIN(handler) FROM " + prefix + "handler WHERE type = '" + Shape.TICK + "')";
        String group = "(SELECT MIN(handler_group) FROM " + prefix + "handler WHERE type = '" + Shape.TICK + "')";
        stage.database()
                .execute(
                        "INSERT INTO " + prefix
                                + "message (id, shard, lane, status, aggregate_type, aggregate_id, type,"
                                + " payload, payload_size) SELECT id, shard, lane, 3, 'bench', aggregate_id, type, payload,"
                                + " payload_size FROM bench_rows",
                        "INSERT INTO " + prefix
                                + "delivery (message_id, handler, handler_group, seq, lane, shard, state, attempts)"
                                + " SELECT m.id, " + handler + ", " + group
                                + ", m.seq, m.lane, m.shard, CASE WHEN m.seq = (SELECT MIN(f.seq)"
                                + " FROM " + prefix + "message f WHERE f.lane = " + LANE
                                + ") THEN 2 ELSE 0 END, 0 FROM "
                                + prefix + "message m WHERE m.lane = " + LANE,
                        "INSERT INTO " + prefix + "lane (lane, handler_group, shard, resume_at) VALUES (" + LANE + ", "
                                + group + ", " + LaneHash.shard(LANE) + ", NULL)");
        Say.progress("W6: %,d messages wait in a blocked aggregate", messages);
        return new BlockedAggregate(stage, prefix);
    }

    void remove() {
        stage.database()
                .execute(
                        "DELETE FROM " + prefix + "delivery WHERE lane = " + LANE,
                        "DELETE FROM " + prefix + "message WHERE lane = " + LANE,
                        "DELETE FROM " + prefix + "lane WHERE lane = " + LANE);
    }
}
