package io.outboxed.bench.workloads;

import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.bench.database.Pause;
import io.outboxed.bench.database.Shape;
import io.outboxed.bench.report.TargetCheck;
import io.outboxed.bench.systems.Node;
import io.outboxed.bench.systems.NodeDrainer;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.retention.AgedTable;
import io.outboxed.internal.retention.Cleanup;
import io.outboxed.internal.retention.CleanupPass;
import io.outboxed.internal.retention.RetentionPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * W12: do a long history and a million dead letters slow down the drain, and does what is done to them? Measured in turn
 * on tables without them and with them; then in turn without and with a cleanup of the history, with somebody who looks
 * at them, and with the drop of a partition. All of them keep what they have handled.
 */
public final class LongHistory implements Workload {
    private static final double OF_USUAL = 0.95;
    private static final String EMPTY = "empty-history";
    private static final String LONG = "long-history";
    private static final String PREFIX = "outbox_";
    private static final List<String> KEEP = List.of("outbox.on-success=keep");

    @Override
    public String id() {
        return "W12";
    }

    @Override
    public String what() {
        return "W1 beside a long history and dead letters, and while these are cleaned, watched and dropped";
    }

    @Override
    public void run(Stage stage) {
        Shape shape =
                Shape.of(Shape.TICK, stage.options().messages(), stage.options().aggregates());
        Node node = stage.nodes(1, KEEP).get(0);
        NodeDrainer drainer = new NodeDrainer("outboxed", stage.database(), stage.backlog(), List.of(node));
        stage.warmUp(drainer, shape);
        besideEmpty(stage, drainer, shape);
        besideWork(stage, drainer, shape, "cleaned", (round, beside) -> clean(stage, beside), Beside::mustStillRun);
        besideWork(stage, drainer, shape, "watched", (round, beside) -> watch(stage, beside), Beside::mustStillRun);
        PartitionedHistory days = new PartitionedHistory(stage, stage.options().runs());
        days.fill();
        besideWork(
                stage,
                drainer,
                shape,
                "dropped",
                (round, beside) -> {
                    node.awaitHandled(shape.messages() / 10);
                    if (days.dropUpTo(round - 1) > 0) {
                        beside.did();
                    }
                },
                Beside::mustHaveWorked);
        days.remove();
    }

    private void besideEmpty(Stage stage, NodeDrainer drainer, Shape shape) {
        DrainRace race = new DrainRace(stage, id(), "beside", null);
        try (Fleet others = stage.others(EMPTY, "empty_")) {
            NodeDrainer empty = new NodeDrainer(EMPTY, stage.database(), stage.backlog(), others.nodes(1, KEEP));
            stage.warmUp(empty, shape);
            OldHistory.fill(stage);
            OldHistory.fillDeadLetters(stage);
            for (int round = 1; round <= stage.options().runs(); round++) {
                for (NodeDrainer each : Turns.of(List.of(empty, drainer), round)) {
                    race.add(each == empty ? EMPTY : LONG, each.drain(shape), round);
                }
            }
            OldHistory.mustHaveGrownBy(stage, (long) stage.options().runs() * shape.messages());
        }
        race.report();
        check(stage, "rate beside a long history against an empty one", race.ratio(LONG, EMPTY));
    }

    private interface Work {
        void run(int round, Beside beside) throws Exception;
    }

    /** Without the work and with it, in turn, both on the long history. */
    private void besideWork(
            Stage stage, NodeDrainer drainer, Shape shape, String variant, Work work, Consumer<Beside> check) {
        DrainRace race = new DrainRace(stage, id(), variant, null);
        for (int number = 1; number <= stage.options().runs(); number++) {
            int round = number;
            for (boolean with : Turns.of(List.of(false, true), round)) {
                stage.backlog().rest(drainer.prefix());
                drainer.reset(); // so that the work sees none of the last drain
                try (Beside beside = Beside.start(each -> {
                    if (with) {
                        work.run(round, each);
                    }
                })) {
                    race.add(with ? "outboxed" : LONG, drainer.drain(shape), round);
                    if (with) {
                        check.accept(beside);
                    }
                }
            }
        }
        race.report();
        check(stage, "rate while it is " + variant + " against that", race.ratio("outboxed", LONG));
    }

    private void check(Stage stage, String what, double ratio) {
        stage.report().add(TargetCheck.atLeast(id(), stage.database().id(), what, OF_USUAL, ratio));
    }

    /** As a node does, with its pauses; ends between two batches. */
    private static void clean(Stage stage, Beside beside) throws SQLException {
        try (Connection connection = stage.database().connect()) {
            Cleanup cleanup = new Cleanup(Dialect.from(connection.getMetaData()), PREFIX);
            CleanupPass pass = cleanup.begin(connection, AgedTable.HISTORY, Duration.ofDays(1));
            while (!pass.finished() && !beside.isClosed()) {
                long begun = System.nanoTime();
                pass = cleanup.next(connection, pass, RetentionPolicy.DEFAULT_BATCH_SIZE);
                beside.did();
                Pause.millis(Cleanup.pauseAfter(Duration.ofNanos(System.nanoTime() - begun))
                        .toMillis());
            }
        }
    }

    /** As an operator does who has the status and the first pages open, twice a second. */
    private static void watch(Stage stage, Beside beside) {
        try (OutboxOperations operations = OutboxOperations.open(stage.database()::connect, PREFIX)) {
            while (!beside.isClosed()) {
                operations.status();
                operations.handlers();
                operations.deadLetters().find(DeadLetterFilter.all(), null, 50);
                operations.failures().of(DeadLetterFilter.all(), 50);
                beside.did();
                Pause.millis(500);
            }
        }
    }
}
