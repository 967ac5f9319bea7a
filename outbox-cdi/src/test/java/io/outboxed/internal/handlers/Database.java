package io.outboxed.internal.handlers;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.schema.Schema;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import jakarta.transaction.Status;
import jakarta.transaction.Transaction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.XAConnection;
import org.h2.jdbcx.JdbcDataSource;

/** An H2 database whose connections take part in the thread's transaction, as a server's data source does. */
@ApplicationScoped
class Database {
    private final JdbcDataSource source = new JdbcDataSource();
    private final Map<Transaction, Connection> enlisted = new ConcurrentHashMap<>();
    private volatile boolean refusesCommits;

    Database() {
        source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    /** @return the count of changed rows */
    int update(String sql, Object... parameters) {
        try {
            Transaction transaction = NarayanaTransactions.MANAGER.getTransaction();
            if (transaction != null) {
                return update(enlisted.computeIfAbsent(transaction, this::enlist), sql, parameters);
            }
            try (Connection own = source.getConnection()) {
                return update(own, sql, parameters);
            }
        } catch (Exception e) {
            throw new IllegalStateException(sql, e);
        }
    }

    private static int update(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            return statement.executeUpdate();
        }
    }

    private Connection enlist(Transaction transaction) {
        try {
            XAConnection connection = source.getXAConnection();
            transaction.enlistResource(new RefusedCommits(connection.getXAResource(), () -> refusesCommits));
            return connection.getConnection();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** In a database with the outbox's tables. */
    @Produces
    @Dependent
    OutboxOperations operations() {
        new Schema(this::outside, Dialect.H2, "outbox_").create();
        return OutboxOperations.open(this::outside, "outbox_");
    }

    ConnectionSource source() {
        return this::outside;
    }

    /** A server's pool would enlist the connection in the thread's transaction. */
    private Connection outside() throws SQLException {
        if (new NarayanaTransactions().status() != Status.STATUS_NO_TRANSACTION) {
            throw new SQLException("opened inside a transaction");
        }
        return source.getConnection();
    }

    /** The current transaction's commit gets no answer. */
    void loseNextCommit() {
        try {
            NarayanaTransactions.MANAGER.getTransaction().enlistResource(new NoAnswer());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Commits are rolled back, and the driver says that it does not know how they ended. */
    void refuseCommits() {
        refusesCommits = true;
    }

    /** What is committed. */
    List<String> committed(String query) {
        try (Connection own = source.getConnection();
                PreparedStatement statement = own.prepareStatement(query);
                ResultSet rows = statement.executeQuery()) {
            List<String> result = new ArrayList<>();
            while (rows.next()) {
                result.add(rows.getString(1));
            }
            return result;
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }
}
