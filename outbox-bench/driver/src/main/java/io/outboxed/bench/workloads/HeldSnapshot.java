package io.outboxed.bench.workloads;

import io.outboxed.bench.database.BenchDatabase;
import io.outboxed.bench.database.Shape;
import io.outboxed.bench.report.TargetCheck;
import io.outboxed.bench.systems.Drainer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * W8: does an old snapshot that another transaction holds open slow down the drain? Measured in turn without and with
 * one.
 */
public final class HeldSnapshot implements Workload {
    private static final double OF_USUAL = 0.8;

    @Override
    public String id() {
        return "W8";
    }

    @Override
    public String what() {
        return "W1 while another transaction holds a consistent snapshot open";
    }

    @Override
    public void run(Stage stage) {
        Shape shape =
                Shape.of(Shape.TICK, stage.options().messages(), stage.options().aggregates());
        DrainRace race = new DrainRace(stage, id(), "", null);
        Drainer drainer = stage.drainers().get(0);
        stage.warmUp(drainer, shape);
        for (int round = 1; round <= stage.options().runs(); round++) {
            race.add("without-snapshot", drainer.drain(shape), round);
            stage.backlog().rest("outbox_");
            try (Snapshot held = Snapshot.hold(stage.database())) {
                race.add("outboxed", drainer.drain(shape), round);
            }
        }
        race.report();
        stage.report()
                .add(TargetCheck.atLeast(
                        id(),
                        stage.database().id(),
                        "rate against W1 of the same round",
                        OF_USUAL,
                        race.ratio("outboxed", "without-snapshot")));
    }

    private record Snapshot(Connection connection) implements AutoCloseable {

        static Snapshot hold(BenchDatabase database) {
            try {
                Connection connection = database.connect();
                connection.setAutoCommit(false);
                connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                try (Statement statement = connection.createStatement()) {
                    if (database.product().isMySqlFamily()) {
                        statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
                    }
                    statement.executeQuery("SELECT COUNT(*) FROM outbox_meta").close();
                }
                return new Snapshot(connection);
            } catch (SQLException e) {
                throw new IllegalStateException("the snapshot could not be taken", e);
            }
        }

        @Override
        public void close() {
            try (connection) {
                connection.rollback();
            } catch (SQLException e) {
                throw new IllegalStateException("the snapshot could not be released", e);
            }
        }
    }
}
