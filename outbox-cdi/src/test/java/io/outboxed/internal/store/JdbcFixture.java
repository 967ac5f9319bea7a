package io.outboxed.internal.store;

import io.outboxed.DeadLetter;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.QualifiedName;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.schema.Schema;
import io.outboxed.internal.store.jdbc.DeadLetterStore;
import io.outboxed.internal.store.jdbc.RejectedHistory;
import io.outboxed.internal.store.jdbc.RetiredDeliveries;
import io.outboxed.internal.store.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A fixture over a real database. */
public final class JdbcFixture implements StoreFixture, AutoCloseable {
    private final ConnectionSource source;
    private final Dialect dialect;
    private final SqlText names;
    private final Queue<Connection> opened = new ConcurrentLinkedQueue<>();
    final Queue<StoreException> dropped = new ConcurrentLinkedQueue<>();
    final JdbcStores stores;
    private final RelayStore store;
    public final Connection admin;
    /** One node's: it remembers what was rejected. */
    private final RejectedHistory history = new RejectedHistory(true, dropped::add);

    private final RejectedHistory noHistory = new RejectedHistory(false, dropped::add);

    public JdbcFixture(ConnectionSource database, Dialect dialect) throws SQLException {
        this(database, dialect, SqlText.DEFAULT_PREFIX);
    }

    JdbcFixture(ConnectionSource database, Dialect dialect, String prefix) throws SQLException {
        this.source = () -> {
            Connection connection = database.open();
            opened.add(connection);
            return connection;
        };
        this.dialect = dialect;
        this.names = new SqlText(dialect, prefix);
        this.stores = new JdbcStores(source, dialect, prefix(), dropped::add);
        this.admin = open();
        run("CREATE TABLE IF NOT EXISTS effect (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL)");
        run("DELETE FROM effect");
        run(IntStream.rangeClosed(1, 50)
                .mapToObj(id -> "(" + id + ", 0)")
                .collect(Collectors.joining(", ", "INSERT INTO effect (id, amount) VALUES ", "")));
        if (names.schema() != null) {
            run("CREATE SCHEMA IF NOT EXISTS " + names.schema());
        }
        if (!hasTables()) {
            new Schema(source, dialect, prefix).create();
        }
        for (String table : List.of(
                "message",
                "node",
                "claim",
                "handler",
                "lane",
                "delivery",
                "dead",
                "inbox",
                "history",
                "pause",
                "audit",
                "operation")) {
            run("DELETE FROM outbox_" + table);
        }
        this.store = stores.withoutHistory();
    }

    /** With free shards. {@code Schema} looks at every column of every table, which takes longer than most tests. */
    private boolean hasTables() {
        try {
            return run("UPDATE outbox_shard SET owner = NULL") > 0;
        } catch (SQLException e) {
            return false;
        }
    }

    /** A connection that waits for a lock as long as the relay's own ones, and may stay idle. */
    public Connection open() throws SQLException {
        Connection connection = source.open();
        opened.remove(connection);
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    switch (dialect) {
                        case MYSQL, MARIADB -> "SET SESSION innodb_lock_wait_timeout = 5";
                        case POSTGRESQL -> "SET lock_timeout = '5s'";
                        case H2 -> "SET LOCK_TIMEOUT 5000";
                    });
        }
        return connection;
    }

    /** As if the network had cut all connections of the stores. */
    void breakConnections() {
        for (Connection connection; (connection = opened.poll()) != null; ) {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Tells the optimizer how small the table is. */
    void analyze() throws SQLException {
        try (Statement statement = admin.createStatement()) {
            statement.execute(dialect.isMySqlFamily() ? named("ANALYZE TABLE outbox_message") : "ANALYZE");
        }
    }

    /** What handlers have done. */
    int effects() {
        try {
            return new Jdbc(admin, dialect)
                    .first("SELECT SUM(amount) AS total FROM effect WHERE id IN (3, 4)", row -> row.getInt("total"))
                    .orElseThrow();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public ConnectionSource source() {
        return source;
    }

    public Dialect dialect() {
        return dialect;
    }

    public String prefix() {
        return names.prefix();
    }

    /** The schema of the tables and a dot; empty for the connection's own. */
    public String qualifier() {
        return names.schema() == null ? "" : names.schema() + ".";
    }

    /** A statement that was written for the default prefix. */
    public String named(String sql) {
        return names.of(sql);
    }

    public int run(String sql, Object... parameters) throws SQLException {
        return new Jdbc(admin, dialect).update(named(sql), parameters);
    }

    /** Also a statement with a result. */
    public void execute(String sql) throws SQLException {
        try (Statement statement = admin.createStatement()) {
            statement.execute(named(sql));
        }
    }

    /** Names without the prefix. MySQL would take a table without a schema into that of the connection. */
    void rename(String table, String newName) throws SQLException {
        String simple = QualifiedName.of(prefix()).name() + newName;
        String target = dialect.isMySqlFamily() ? qualifier() + simple : simple;
        new Jdbc(admin, dialect).update("ALTER TABLE " + prefix() + table + " RENAME TO " + target);
    }

    @Override
    public RelayStore store() {
        return store;
    }

    @Override
    public JdbcDelivery begin() {
        return begin(Connection.TRANSACTION_READ_COMMITTED, false);
    }

    JdbcDelivery beginWithHistory() {
        return begin(Connection.TRANSACTION_READ_COMMITTED, true);
    }

    JdbcDelivery begin(int isolation, boolean keepHistory) {
        try {
            return new JdbcDelivery(open(), names, isolation, keepHistory ? history : noHistory);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Inserts as the capture side does: exactly its columns. */
    void insert(Connection connection, Draft draft) throws SQLException {
        new Jdbc(connection, dialect)
                .update(
                        named(
                                "INSERT INTO outbox_message (id, shard, lane, aggregate_type, aggregate_id, type, payload,"
                                        + " payload_size, headers, delay_micros, registry_version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
                        draft.id(),
                        draft.shard(),
                        draft.lane(),
                        "order",
                        "o-" + draft.lane(),
                        draft.type(),
                        draft.payload(),
                        draft.payload().length(),
                        null,
                        draft.delayMicros(),
                        0L);
    }

    @Override
    public MessageHead publish(Draft draft) {
        try {
            insert(admin, draft);
            ReadWindow all = new ReadWindow(draft.shard(), 0, 100_000);
            return store.reads().ready(List.of(all)).stream()
                    .filter(head -> head.id().equals(draft.id()))
                    .map(StoreFixture::withoutBody)
                    .findFirst()
                    .orElseThrow();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public List<DeadLetter> deadLetters() {
        try (DeadLetterStore deadLetters = deadLetterStore()) {
            return deadLetters.find(DeadLetterFilter.all(), null, 1000);
        }
    }

    @Override
    public boolean replay(UUID message, String handler) {
        try (DeadLetterStore deadLetters = deadLetterStore()) {
            return Unrecorded.replay(deadLetters, message, handler);
        }
    }

    public DeadLetterStore deadLetterStore() {
        return deadLetterStore(source);
    }

    DeadLetterStore deadLetterStore(ConnectionSource other) {
        return new DeadLetterStore(other, dialect, prefix());
    }

    /** The statement with which an operator's change waits for a message that another transaction has locked. */
    String waitForMessage() {
        return new Sql(dialect, prefix()).messages.lockMessage;
    }

    /** @param step how many deliveries one statement reads */
    RetiredDeliveries retiredDeliveries(int step) {
        return new RetiredDeliveries(source, dialect, prefix(), step);
    }

    RetiredDeliveries retiredDeliveries() {
        return new RetiredDeliveries(source, dialect, prefix());
    }

    List<UUID> history() {
        Jdbc jdbc = new Jdbc(admin, dialect);
        try {
            return jdbc.list(named("SELECT id FROM outbox_history"), row -> jdbc.uuid(row, "id"));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public int deliveryRows() {
        return count("outbox_delivery");
    }

    @Override
    public int messageRows() {
        return count("outbox_message");
    }

    public int count(String table) {
        return (int) number("SELECT COUNT(*) AS n FROM " + table);
    }

    /** @param query for one row with a column n */
    long number(String query) {
        try {
            return new Jdbc(admin, dialect)
                    .first(named(query), row -> row.getLong("n"))
                    .orElseThrow();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws SQLException {
        stores.close();
        admin.close();
    }
}
