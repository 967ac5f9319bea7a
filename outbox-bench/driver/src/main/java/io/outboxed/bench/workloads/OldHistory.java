package io.outboxed.bench.workloads;

import io.outboxed.bench.Say;
import io.outboxed.bench.database.Shape;

/** Messages in the history that were handled long ago. */
final class OldHistory {
    private static final int AT_ONCE = 100_000;

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

    static void remove(Stage stage) {
        stage.database().execute("TRUNCATE TABLE outbox_history");
    }
}
