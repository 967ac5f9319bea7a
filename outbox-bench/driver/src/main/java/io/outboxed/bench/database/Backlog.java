package io.outboxed.bench.database;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.store.LaneHash;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/**
 * The rows of a backlog: created once in a separate table, then copied into an outbox in one transaction as often as
 * needed.
 */
public final class Backlog {
    private static final String AGGREGATE_TYPE = "bench";
    private static final int BATCH_BYTES = 4 << 20;
    private static final String INSERT_STAGED = "INSERT INTO bench_rows"
            + " (n, id, shard, lane, aggregate_id, type, payload, payload_size) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";

    private final BenchDatabase database;
    private Shape staged;
    private Connection looking;

    public Backlog(BenchDatabase database) {
        this.database = database;
        createTables();
    }

    /** Rows that are inserted but not yet visible. */
    public record Hidden(Connection connection) {

        /** @return when they became visible: {@link System#nanoTime()} */
        public long release() {
            try (connection) {
                connection.commit();
                return System.nanoTime();
            } catch (SQLException e) {
                throw new IllegalStateException("the backlog could not be committed", e);
            }
        }
    }

    /** Creates the rows in {@code bench_rows} without copying them anywhere. */
    public void prepare(Shape shape) {
        stage(shape);
    }

    /** @param prefix of the outbox's tables */
    public Hidden fill(Shape shape, String prefix) {
        stage(shape);
        try {
            Connection connection = database.connect();
            connection.setAutoCommit(false);
            try (Statement insert = connection.createStatement()) {
                insert.executeUpdate("INSERT INTO " + prefix + "message (id, shard, lane, aggregate_type, aggregate_id,"
                        + " type, payload, payload_size) SELECT id, shard, lane, '" + AGGREGATE_TYPE
                        + "', aggregate_id, type, payload, payload_size FROM bench_rows ORDER BY n");
            }
            return new Hidden(connection);
        } catch (SQLException e) {
            throw new IllegalStateException("the backlog could not be inserted", e);
        }
    }

    /** Returns once no message is left; polls at short intervals, on one connection. */
    public void awaitEmpty(String prefix) {
        awaitNone("SELECT seq FROM " + prefix + "message LIMIT 1");
    }

    /** Returns once no message is ready; joins with the shards, so that an index is used. */
    public void awaitNoneReady(String prefix) {
        awaitNone("SELECT m.seq FROM " + prefix + "shard s JOIN " + prefix
                + "message m ON m.shard = s.shard AND m.status = 0 LIMIT 1");
    }

    /** On a connection that is open already: to open one takes time that would be measured. */
    private void awaitNone(String query) {
        try (Statement statement = looking().createStatement()) {
            while (findsSome(statement, query)) {
                Pause.millis(3);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the outbox's table can't be read", e);
        }
    }

    private Connection looking() throws SQLException {
        if (looking == null || !looking.isValid(1)) {
            looking = database.connect();
        }
        return looking;
    }

    private static boolean findsSome(Statement statement, String query) throws SQLException {
        try (ResultSet rows = statement.executeQuery(query)) {
            return rows.next();
        }
    }

    /** Each run begins with a table without remains of the previous run: purged, vacuumed, written to disk. */
    public void rest(String prefix) {
        Rest.take(database, prefix);
    }

    /** Creates the outbox's own schema with another prefix, for systems that read it with plain JDBC. */
    public void createOutbox(String prefix) {
        try (Connection connection = database.connect()) {
            new Schema(database::connect, Dialect.from(connection.getMetaData()), prefix).create();
        } catch (SQLException e) {
            throw new IllegalStateException("the tables could not be created", e);
        }
    }

    private void createTables() {
        Product product = database.product();
        String options = product.tableOptions();
        database.execute(
                "CREATE TABLE IF NOT EXISTS bench_rows (n BIGINT NOT NULL PRIMARY KEY, id " + product.uuid()
                        + " NOT NULL, shard SMALLINT NOT NULL, lane BIGINT NOT NULL, aggregate_id VARCHAR(255),"
                        + " type VARCHAR(255) NOT NULL, payload " + product.text() + ", payload_size INT NOT NULL)"
                        + options,
                "CREATE TABLE IF NOT EXISTS bench_business (id " + product.identity()
                        + " PRIMARY KEY, aggregate_no BIGINT NOT NULL, note VARCHAR(255))" + options,
                "CREATE TABLE IF NOT EXISTS bench_effect (id " + product.identity()
                        + " PRIMARY KEY, aggregate_no BIGINT NOT NULL, note VARCHAR(255))" + options);
    }

    private void stage(Shape shape) {
        if (shape.equals(staged)) {
            return;
        }
        database.execute("TRUNCATE TABLE bench_rows");
        try (Connection connection = database.connect();
                PreparedStatement insert = connection.prepareStatement(INSERT_STAGED)) {
            connection.setAutoCommit(false);
            int batch = Math.max(1, Math.min(1000, BATCH_BYTES / shape.payloadBytes()));
            shape.forEach((number, aggregate, payload) -> {
                bind(insert, shape, number, aggregate, payload);
                insert.addBatch();
                if ((number + 1) % batch == 0) {
                    insert.executeBatch();
                }
                if ((number + 1) % 50_000 == 0) {
                    connection.commit();
                }
            });
            insert.executeBatch();
            connection.commit();
        } catch (Exception e) {
            throw new IllegalStateException("the rows of a backlog could not be made", e);
        }
        staged = shape;
    }

    private void bind(PreparedStatement insert, Shape shape, int number, long aggregate, String payload)
            throws SQLException {
        String aggregateId = Long.toString(aggregate);
        long lane = LaneHash.lane(AGGREGATE_TYPE, aggregateId);
        UUID id = new UUID(0x0190_0000_0000_7000L | (long) number << 20, 0x8000_0000_0000_0000L | number);
        insert.setLong(1, number);
        insert.setObject(2, database.product().isMySqlFamily() ? bytes(id) : id);
        insert.setInt(3, LaneHash.shard(lane));
        insert.setLong(4, lane);
        insert.setString(5, aggregateId);
        insert.setString(6, shape.type());
        insert.setString(7, payload);
        insert.setInt(8, payload.length());
    }

    static byte[] bytes(UUID id) {
        return ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
    }
}
