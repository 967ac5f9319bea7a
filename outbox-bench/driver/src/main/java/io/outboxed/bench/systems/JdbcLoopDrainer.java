package io.outboxed.bench.systems;

import io.outboxed.bench.database.Backlog;
import io.outboxed.bench.database.BenchDatabase;
import io.outboxed.bench.database.Shape;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * The transactions of transactional handlers in plain JDBC: claim the row, insert one row, delete the claimed row,
 * commit. It has as many threads as the relay by default gives to one of several handlers: half of its eight workers.
 */
public final class JdbcLoopDrainer implements Drainer {
    private static final int THREADS = 4;
    private static final int PAGE = 500;

    private final PlainDrain drain;

    public JdbcLoopDrainer(BenchDatabase database, Backlog backlog) {
        this.drain = new PlainDrain(database, backlog, THREADS, PAGE);
    }

    @Override
    public String name() {
        return "jdbc-loop";
    }

    @Override
    public Drained drain(Shape shape) {
        return drain.drain(shape, JdbcLoopDrainer::handle);
    }

    private static void handle(Connection connection, List<PlainRow> rows) throws SQLException {
        try (PreparedStatement claim = connection.prepareStatement(
                        "UPDATE limit_message SET version = version + 1 WHERE seq = ? AND id = ? AND version = 0");
                PreparedStatement effect =
                        connection.prepareStatement("INSERT INTO bench_effect (aggregate_no, note) VALUES (?, ?)");
                PreparedStatement delete = connection.prepareStatement(
                        "DELETE FROM limit_message WHERE seq = ? AND id = ? AND version = 1")) {
            for (PlainRow row : rows) {
                one(claim, row);
                effect.setLong(1, row.lane());
                effect.setString(2, "handled");
                effect.executeUpdate();
                one(delete, row);
                connection.commit();
            }
        }
    }

    private static void one(PreparedStatement statement, PlainRow row) throws SQLException {
        statement.setLong(1, row.seq());
        statement.setObject(2, row.id());
        if (statement.executeUpdate() != 1) {
            throw new SQLException("row " + row.seq() + " is not as it was read");
        }
    }

    @Override
    public void close() {
        drain.close();
    }
}
