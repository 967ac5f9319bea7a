package io.outboxed.bench.workloads;

import io.outboxed.bench.database.Shape;
import io.outboxed.bench.report.TargetCheck;

/**
 * W2: like W1 with a transactional handler that inserts one row, compared with a JDBC loop with the same transactions.
 */
public final class DrainTransactional implements Workload {
    private static final double OF_LOOP = 0.7;

    @Override
    public String id() {
        return "W2";
    }

    @Override
    public String what() {
        return "drain a backlog, transactional handler that inserts one row, one node";
    }

    @Override
    public void run(Stage stage) {
        Shape shape = Shape.of(
                Shape.ENTRY, stage.options().messages(), stage.options().aggregates());
        DrainRace race = new DrainRace(stage, id(), "", "jdbc-loop")
                .run(stage.drainers("jdbc-loop"), shape)
                .report();
        if (race.has("outboxed") && race.has("jdbc-loop")) {
            stage.report()
                    .add(TargetCheck.atLeast(
                            id(),
                            stage.database().id(),
                            "rate against a JDBC loop with the same transactions",
                            OF_LOOP,
                            race.ratio("outboxed", "jdbc-loop")));
        }
    }
}
