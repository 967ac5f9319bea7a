package io.outboxed.bench.app;

import io.outboxed.Outboxed;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.LongStream;
import javax.sql.DataSource;

/** One business transaction, one inserted row; with and without its event. */
@ApplicationScoped
public class Business {

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    @Resource
    TransactionSynchronizationRegistry synchronizations;

    @Inject
    PlainOutboxRow plainRow;

    @Inject
    Journey journey;

    @Transactional
    public void plain(long aggregate) throws SQLException {
        insert(aggregate);
    }

    @Transactional
    @Outboxed
    public Tick withEvent(long aggregate, String text) throws SQLException {
        insert(aggregate);
        return new Tick(aggregate, text);
    }

    @Transactional
    @Outboxed
    public List<Tick> withEvents(long aggregate, String text, int count) throws SQLException {
        insert(aggregate);
        return LongStream.range(0, count)
                .mapToObj(i -> new Tick(aggregate + i, text))
                .toList();
    }

    /** The same extra row written manually, to a table that no relay reads: the minimum cost of an outbox. */
    @Transactional
    public void withPlainRow(long aggregate, String text) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            insert(connection, aggregate);
            plainRow.insert(connection, aggregate, text);
        }
    }

    /**
     * Records when the commit was completed. Registered before the library's own synchronization, and therefore called
     * before it.
     */
    @Transactional
    @Outboxed
    public Paced paced(long aggregate, int index, String text) throws SQLException {
        synchronizations.registerInterposedSynchronization(
                new AfterCommit(() -> journey.committed(index, System.nanoTime())));
        insert(aggregate);
        return new Paced(aggregate, index, text);
    }

    private void insert(long aggregate) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            insert(connection, aggregate);
        }
    }

    private static void insert(Connection connection, long aggregate) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO bench_business (aggregate_no, note) VALUES (?, ?)")) {
            insert.setLong(1, aggregate);
            insert.setString(2, "a business row");
            insert.executeUpdate();
        }
    }
}
