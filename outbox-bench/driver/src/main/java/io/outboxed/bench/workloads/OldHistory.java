package io.outboxed.bench.workloads;

import io.outboxed.bench.Say;
import io.outboxed.bench.database.Shape;

/** Messages in the history that were handled long ago, and dead letters of that time. */
final class OldHistory {
    private static final int AT_ONCE = 100_000;
    private static final int DEAD_LETTERS = 1_000_000;

    private OldHistory() {}

    static void fill(Stage stage) {
        int wanted = stage.options().history();
        Say.progress("filling the history with %,d messages", wanted);
        stage.backlog()
                .prepare(Shape.of(
                        Shape.TICK, Math.min(AT_ONCE, wanted), stage.options().aggregates()));
        for (int done = 0; done < wanted; done += AT_ONCE) {
            stage.database()
                    .execute("INSERT INTO outbox_history (id, processed_at, seq, shard, lane, aggregate_type,"
                            + " aggregate_id, type, payload, payload_size, delay_micros, registry_version)"
                            + " SELECT id, " + (done + 1) + ", n, shard, lane, 'bench', aggregate_id, type, payload,"
                            + " payload_size, 0, 0 FROM bench_rows");
        }
    }

    /** A million dead letters that block nothing, from the same rows. */
    static void fillDeadLetters(Stage stage) {
        int wanted = Math.min(DEAD_LETTERS, stage.options().history());
        Say.progress("filling in %,d dead letters", wanted);
        for (int done = 0; done < wanted; done += AT_ONCE) {
            stage.database()
                    .execute("INSERT INTO outbox_dead (message_id, handler, died_at, seq, shard, lane, aggregate_type,"
                            + " aggregate_id, type, payload, payload_size, attempts, registry_version, blocking, error,"
                            + " handler_group) SELECT id, 'Mailer" + done / AT_ONCE + "', " + (done + 1)
                            + ", n, shard, lane, 'bench', aggregate_id, type, payload, payload_size, 5, 0, 0,"
                            + " 'connection refused', 'Mailer' FROM bench_rows");
        }
    }

    static void remove(Stage stage) {
        stage.database().execute("TRUNCATE TABLE outbox_history");
        stage.database().execute("TRUNCATE TABLE outbox_dead");
    }
}
