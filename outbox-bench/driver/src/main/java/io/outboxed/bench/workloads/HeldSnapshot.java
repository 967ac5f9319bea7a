package io.outboxed.bench.workloads;

import io.outboxed.bench.database.BenchDatabase;
import io.outboxed.bench.database.Shape;
import io.outboxed.bench.report.TargetCheck;
import io.outboxed.bench.systems.NodeDrainer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * W8: does an old snapshot that another transaction holds open slow down the drain? Measured in turn without and with
 * one.
 */
public final class HeldSnapshot implements Workload {
    private static final double OF_USUAL = 0.8;
    private static final String WITHOUT = "without-snapshot";

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
        List<NodeDrainer> builds =
                stage.builds().stream().map(build -> stage.drainer(build, 1)).toList();
        builds.forEach(drainer -> stage.warmUp(drainer, shape));
        for (int round = 1; round <= stage.options().runs(); round++) {
            for (NodeDrainer drainer : Turns.of(builds, round)) {
                race.add(without(drainer), drainer.drain(shape), round);
                stage.backlog().rest(drainer.prefix());
                try (Snapshot held = Snapshot.hold(stage.database(), drainer.prefix())) {
                    race.add(drainer.name(), drainer.drain(shape), round);
                }
            }
        }
        race.report();
        race.against(WITHOUT, AgainstBefore.BEFORE + "-" + WITHOUT, WITHOUT);
        stage.report()
                .add(TargetCheck.atLeast(
                        id(),
                        stage.database().id(),
                        "rate against W1 of the same round",
                        OF_USUAL,
                        race.ratio("outboxed", WITHOUT)));
    }

    private static String without(NodeDrainer drainer) {
        return drainer.name().equals("outboxed") ? WITHOUT : drainer.name() + "-" + WITHOUT;
    }

    private record Snapshot(Connection connection) implements AutoCloseable {

        static Snapshot hold(BenchDatabase database, String prefix) {
            try {
                Connection connection = database.connect();
                connection.setAutoCommit(false);
                connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                try (Statement statement = connection.createStatement()) {
                    if (database.product().isMySqlFamily()) {
                        statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
                    }
                    statement
                            .executeQuery("SELECT COUNT(*) FROM " + prefix + "meta")
                            .close();
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
