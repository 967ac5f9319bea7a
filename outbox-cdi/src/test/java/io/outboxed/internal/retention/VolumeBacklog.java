package io.outboxed.internal.retention;

import io.outboxed.internal.store.LaneHash;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Many rows that wait: first the ready messages, then those with a delivery that waits for its next attempt, those with
 * a blocked one, and the parked ones, as many of each. So a list of one state has to pass the states before it.
 */
record VolumeBacklog(VolumeRows rows) {
    /** Of each state. */
    private static final int AGGREGATES = 50_000;

    private static final int OF_ONE_AGGREGATE = 20_000;
    private static final int STATES = 1_000_000;
    private static final int READY = 0;
    private static final int PARKED = 2;
    private static final int SPLIT = 3;

    void fill(int messages) throws SQLException {
        int each = messages / 4;
        messages(each, STATES, READY);
        messages(each, 2 * STATES, SPLIT);
        messages(each, 3 * STATES, SPLIT);
        messages(each, 4 * STATES, PARKED);
        messagesOfOneAggregate();
        rows.analyze("message");
        long later = VolumeRows.micros() + Duration.ofHours(1).toNanos() / 1_000;
        waits(between(2), "'Mailer'", String.valueOf(later));
        waits("aggregate_id = 'big'", "'Mailer'", String.valueOf(later));
        waits(between(3), "'Mailer'", "NULL");
        waits(between(4), "'*'", String.valueOf(later));
        deliveries("status = 3 AND NOT (" + between(3) + ")", 0);
        deliveries(between(3), 2);
        deadLetters(between(3));
        rows.analyze("lane");
        rows.analyze("delivery");
        rows.analyze("dead");
    }

    private static String between(int states) {
        return "lane BETWEEN " + states * STATES + " AND " + (states * STATES + STATES / 2);
    }

    private void messages(int count, int firstLane, int status) throws SQLException {
        for (int done = 0; done < count; done += VolumeRows.CHUNK) {
            String lane = "(" + (firstLane + done % AGGREGATES) + " + n)";
            messages(lane, lane + " % 64", status, "CONCAT('w-', " + lane + ")");
        }
    }

    private void messagesOfOneAggregate() throws SQLException {
        long lane = LaneHash.lane("order", "big");
        for (int done = 0; done < OF_ONE_AGGREGATE; done += VolumeRows.CHUNK) {
            messages(String.valueOf(lane), String.valueOf(LaneHash.shard(lane)), SPLIT, "'big'");
        }
    }

    private void messages(String lane, String shard, int status, String aggregate) throws SQLException {
        rows.execute("INSERT INTO outbox_message (id, shard, lane, status, aggregate_type, aggregate_id, type, payload,"
                + " payload_size) SELECT " + rows.id("(" + VolumeRows.micros() + " + n)") + ", " + shard + ", " + lane
                + ", " + status + ", 'order', " + aggregate + ", "
                + VolumeRows.name("order.type", VolumeRows.TYPES) + ", '" + "x".repeat(400) + "', 400 FROM "
                + rows.numbers());
    }

    private void waits(String where, String group, String resumeAt) throws SQLException {
        rows.execute("INSERT INTO outbox_lane (lane, handler_group, shard, resume_at) SELECT DISTINCT lane, " + group
                + ", shard, CAST(" + resumeAt + " AS " + (rows.dialect().isMySqlFamily() ? "SIGNED" : "BIGINT")
                + ") FROM outbox_message WHERE " + where);
    }

    private void deliveries(String where, int state) throws SQLException {
        rows.execute("INSERT INTO outbox_delivery (message_id, handler, handler_group, seq, lane, shard, state,"
                + " attempts, due_at, last_error) SELECT id, " + handler() + ", 'Mailer', seq, lane, shard, " + state
                + ", 2, 1, 'connection refused' FROM outbox_message WHERE " + where);
    }

    /** They block. */
    private void deadLetters(String where) throws SQLException {
        rows.execute("INSERT INTO outbox_dead (message_id, died_at, seq, shard, lane, payload, payload_size, attempts,"
                + " registry_version, blocking, error, handler_group, aggregate_type, handler, type, aggregate_id)"
                + " SELECT id, " + VolumeRows.micros() + " - seq, seq, shard, lane, payload, payload_size, 5, 0, 1,"
                + " 'connection refused', 'Mailer', aggregate_type, " + handler() + ", type, aggregate_id"
                + " FROM outbox_message WHERE " + where);
    }

    private static String handler() {
        return "CONCAT('Mailer', seq % " + VolumeRows.HANDLERS + ")";
    }
}
