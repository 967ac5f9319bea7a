package io.outboxed.bench.systems;

import io.outboxed.bench.database.Backlog;
import io.outboxed.bench.database.BenchDatabase;
import io.outboxed.bench.database.Product;
import io.outboxed.bench.database.Shape;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;

/**
 * The limit: what the database allows if only order and a fence are needed. One claimer reads the rows with their
 * payloads in order; workers lock the fence and delete 500 rows in a transaction. It has no retries, no failing
 * handlers and no second node that takes over: unsuitable for production, but hard to beat on these rows.
 */
public final class LimitDrainer implements Drainer {
    private static final int WORKERS = 4;
    private static final int DELETED_AT_ONCE = 500;

    private final PlainDrain drain;
    private final Product product;
    /** Keeps the JIT from removing the reads. */
    private volatile long handled;

    public LimitDrainer(BenchDatabase database, Backlog backlog) {
        this.drain = new PlainDrain(database, backlog, WORKERS, WORKERS * DELETED_AT_ONCE);
        this.product = database.product();
    }

    @Override
    public String name() {
        return "limit";
    }

    @Override
    public Drained drain(Shape shape) {
        return drain.drain(shape, this::handle);
    }

    private void handle(Connection connection, List<PlainRow> rows) throws SQLException {
        long bytes = 0;
        for (PlainRow row : rows) {
            bytes += row.payload().length();
        }
        handled = bytes;
        for (int from = 0; from < rows.size(); from += DELETED_AT_ONCE) {
            delete(connection, rows.subList(from, Math.min(rows.size(), from + DELETED_AT_ONCE)));
        }
    }

    private void delete(Connection connection, List<PlainRow> rows) throws SQLException {
        fence(connection);
        int deleted = product == Product.POSTGRESQL ? deleteArray(connection, rows) : deleteList(connection, rows);
        if (deleted != rows.size()) {
            throw new SQLException(deleted + " of " + rows.size() + " rows were there to be deleted");
        }
        connection.commit();
    }

    private void fence(Connection connection) throws SQLException {
        String lock = product == Product.MARIADB ? " LOCK IN SHARE MODE" : product == Product.H2 ? "" : " FOR SHARE";
        try (PreparedStatement select =
                        connection.prepareStatement("SELECT owner, epoch FROM limit_shard WHERE shard = 0" + lock);
                ResultSet row = select.executeQuery()) {
            if (!row.next() || !"limit".equals(row.getString(1)) || row.getLong(2) != 1) {
                throw new SQLException("the fence is lost");
            }
        }
    }

    private static int deleteArray(Connection connection, List<PlainRow> rows) throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("DELETE FROM limit_message WHERE seq = ANY (?)")) {
            delete.setArray(
                    1,
                    connection.createArrayOf(
                            "bigint", rows.stream().map(PlainRow::seq).toArray()));
            return delete.executeUpdate();
        }
    }

    private static int deleteList(Connection connection, List<PlainRow> rows) throws SQLException {
        String placeholders = String.join(", ", Collections.nCopies(rows.size(), "?"));
        try (PreparedStatement delete =
                connection.prepareStatement("DELETE FROM limit_message WHERE seq IN (" + placeholders + ")")) {
            for (int i = 0; i < rows.size(); i++) {
                delete.setLong(i + 1, rows.get(i).seq());
            }
            return delete.executeUpdate();
        }
    }

    @Override
    public void close() {
        drain.close();
    }
}
