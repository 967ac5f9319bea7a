package io.outboxed.bench.workloads;

import io.outboxed.bench.database.Shape;
import io.outboxed.bench.report.TargetCheck;

/** W1: how fast is a backlog drained with a handler that does nothing? */
public final class DrainOutside implements Workload {
    private static final double OF_LIMIT = 0.6;

    @Override
    public String id() {
        return "W1";
    }

    @Override
    public String what() {
        return "drain a backlog, handler outside a transaction and empty, one node";
    }

    @Override
    public void run(Stage stage) {
        Shape shape =
                Shape.of(Shape.TICK, stage.options().messages(), stage.options().aggregates());
        DrainRace race = new DrainRace(stage, id(), "", "limit")
                .run(stage.drainers("limit", "gruelbox"), shape)
                .report();
        if (race.has("outboxed") && race.has("limit")) {
            stage.report()
                    .add(TargetCheck.atLeast(
                            id(),
                            stage.database().id(),
                            "rate against the limit",
                            OF_LIMIT,
                            race.ratio("outboxed", "limit")));
        }
    }
}
