package io.outboxed.bench.workloads;

import io.outboxed.bench.database.BenchDatabase;
import io.outboxed.bench.database.Shape;
import io.outboxed.bench.report.TargetCheck;
import io.outboxed.bench.systems.NodeDrainer;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.retention.AgedTable;
import io.outboxed.internal.retention.Cleanup;
import io.outboxed.internal.retention.RetentionPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * W12: do a long history and a million dead letters slow down the drain, and does their cleanup? Measured in turn on
 * tables without them and with them; then in turn without and with a cleanup of the history, which pauses between its
 * batches as a node does. All of them keep what they have handled.
 */
public final class LongHistory implements Workload {
    private static final double OF_USUAL = 0.95;
    private static final String EMPTY = "empty-history";
    private static final String LONG = "long-history";
    private static final List<String> KEEP = List.of("outbox.on-success=keep");

    @Override
    public String id() {
        return "W12";
    }

    @Override
    public String what() {
        return "W1 beside a long history and dead letters, and while a cleanup deletes the history";
    }

    @Override
    public void run(Stage stage) {
        Shape shape =
                Shape.of(Shape.TICK, stage.options().messages(), stage.options().aggregates());
        DrainRace besides = new DrainRace(stage, id(), "beside", null);
        DrainRace cleaned = new DrainRace(stage, id(), "cleaned", null);
        try (Fleet others = stage.others(EMPTY, "empty_")) {
            NodeDrainer empty = new NodeDrainer(EMPTY, stage.database(), stage.backlog(), others.nodes(1, KEEP));
            NodeDrainer drainer = new NodeDrainer("outboxed", stage.database(), stage.backlog(), stage.nodes(1, KEEP));
            stage.warmUp(empty, shape);
            stage.warmUp(drainer, shape);
            OldHistory.fill(stage);
            OldHistory.fillDeadLetters(stage);
            for (int round = 1; round <= stage.options().runs(); round++) {
                besides.add(EMPTY, empty.drain(shape), round);
                besides.add(LONG, drainer.drain(shape), round);
            }
            OldHistory.mustHaveGrownBy(stage, (long) stage.options().runs() * shape.messages());
            for (int round = 1; round <= stage.options().runs(); round++) {
                cleaned.add(LONG, drainer.drain(shape), round);
                stage.backlog().rest(drainer.prefix());
                try (Running cleanup = Running.start(stage.database(), drainer.prefix())) {
                    cleaned.add("outboxed", drainer.drain(shape), round);
                    cleanup.mustStillRun();
                }
            }
        }
        besides.report();
        cleaned.report();
        OldHistory.remove(stage);
        check(stage, "rate beside a long history against an empty one", besides.ratio(LONG, EMPTY));
        check(stage, "rate while it is cleaned against that", cleaned.ratio("outboxed", LONG));
    }

    private void check(Stage stage, String what, double ratio) {
        stage.report().add(TargetCheck.atLeast(id(), stage.database().id(), what, OF_USUAL, ratio));
    }

    /** Ends between two batches. */
    private static final class Running implements AutoCloseable {
        private final CompletableFuture<Void> running;
        private volatile boolean ends;
        private final AtomicInteger batches = new AtomicInteger();

        private Running(BenchDatabase database, String prefix) {
            running = CompletableFuture.runAsync(() -> clean(database, prefix));
        }

        static Running start(BenchDatabase database, String prefix) {
            return new Running(database, prefix);
        }

        private void clean(BenchDatabase database, String prefix) {
            try (Connection connection = database.connect()) {
                RetentionPolicy old = RetentionPolicy.keepAll().with(AgedTable.HISTORY, Duration.ofDays(1));
                new Cleanup(Dialect.from(connection.getMetaData()), prefix).run(connection, old, this::pause);
            } catch (SQLException e) {
                throw new IllegalStateException("the cleanup failed", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void pause(Duration batch) throws InterruptedException {
            batches.incrementAndGet();
            if (ends) {
                throw new InterruptedException("enough");
            }
            Cleanup.Pause.FAIR.after(batch);
        }

        void mustStillRun() {
            if (running.isDone()) {
                running.join();
                throw new IllegalStateException(
                        "the history was empty before the backlog; bench.history has to be larger");
            }
            if (batches.get() == 0) {
                throw new IllegalStateException("nothing was deleted while the backlog was drained");
            }
        }

        @Override
        public void close() {
            ends = true;
            try {
                running.join();
            } catch (CompletionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }
    }
}
