package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.SqlFailure;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.ClaimLostException;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.TransactionalAck;
import io.outboxed.internal.store.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Records successes in the caller's transaction. Its connections may have any isolation level, so every write names
 * rows by full primary key that are known to exist: in REPEATABLE READ a write that finds nothing locks a gap and
 * blocks inserts of others.
 */
public final class JdbcTransactionalAck implements TransactionalAck {
    private static final String CONNECTION = "the delivery's connection";

    private final DataSource dataSource;
    private final LastConnection last;
    private final Sql sql;
    private final RejectedHistory history;

    /** What is done on a connection. */
    @FunctionalInterface
    public interface Work {
        void on(Connection connection) throws SQLException;
    }

    /** Leads to the transaction's connection also while the transaction is about to commit. */
    @FunctionalInterface
    public interface LastConnection {
        /** Does the work before it returns. */
        void run(Work work);
    }

    /** @param dataSource its connections take part in the caller's JTA transaction until that is about to commit */
    public JdbcTransactionalAck(
            DataSource dataSource, LastConnection last, Dialect dialect, String prefix, RejectedHistory history) {
        this.dataSource = dataSource;
        this.last = last;
        this.sql = new Sql(dialect, prefix);
        this.history = history;
    }

    private interface Statements {
        void run(Jdbc jdbc) throws SQLException;
    }

    @Override
    public void claim(MessageHead head) {
        run(jdbc ->
                one(head, "claimed", jdbc.update(sql.messages.claimMessage, head.seq(), head.id(), head.version())));
    }

    @Override
    public void claim(List<MessageHead> heads) {
        run(jdbc -> each(jdbc, sql.messages.claimMessage, heads, 0));
    }

    @Override
    public void acknowledge(List<MessageHead> heads, String handler) {
        runLast(jdbc -> {
            List<MessageHead> plain = new ArrayList<>();
            for (MessageHead head : heads) {
                if (head.version() == 0 && !history.keeps(head)) {
                    plain.add(head);
                } else {
                    last(jdbc, head);
                }
            }
            each(jdbc, sql.messages.deleteClaimed, plain, 1);
        });
    }

    /** @param raised by how much the versions are higher than when the rows were read */
    private static void each(Jdbc jdbc, String statement, List<MessageHead> heads, int raised) throws SQLException {
        List<Object[]> rows = heads.stream()
                .map(head -> new Object[] {head.seq(), head.id(), head.version() + raised})
                .toList();
        if (!rows.isEmpty() && !jdbc.eachChangesOneRow(statement, rows)) {
            throw new ClaimLostException("a batch of " + heads.size() + " from message "
                    + heads.get(0).id() + " (seq " + heads.get(0).seq() + "): not every row was as expected");
        }
    }

    @Override
    public void acknowledge(MessageHead head, String handler, AckMode ackMode) {
        runLast(jdbc -> {
            switch (ackMode) {
                case DELETE_MESSAGE -> last(jdbc, head);
                case ADD_DONE_ROW -> {
                    answered(jdbc, head);
                    jdbc.update(sql.deliveries.addDone, head.id(), handler, head.seq(), head.lane(), head.shard());
                }
                case DELETE_DELIVERY -> {
                    one(
                            head,
                            handler + "'s delivery",
                            jdbc.update(sql.deliveries.deleteDelivery, head.id(), handler, head.seq()));
                    // the message's other handlers may have finished since this delivery was read: the rows decide
                    if (deliveries(jdbc, head).isEmpty()) {
                        end(jdbc, head);
                    } else {
                        answered(jdbc, head);
                    }
                }
            }
        });
    }

    private void last(Jdbc jdbc, MessageHead head) throws SQLException {
        List<String> done = head.version() == 0 ? List.of() : deliveries(jdbc, head);
        end(jdbc, head);
        for (String name : done) {
            jdbc.update(sql.deliveries.deleteDelivery, head.id(), name, head.seq());
        }
    }

    private List<String> deliveries(Jdbc jdbc, MessageHead head) throws SQLException {
        return jdbc.list(sql.deliveries.ofMessage, row -> row.getString("handler"), head.id(), head.seq());
    }

    private void answered(Jdbc jdbc, MessageHead head) throws SQLException {
        one(head, "claimed", jdbc.update(sql.messages.answerMessage, head.seq(), head.id(), head.version() + 1));
    }

    private void end(Jdbc jdbc, MessageHead head) throws SQLException {
        if (history.keeps(head) && !jdbc.exists(sql.deadLetters.anyDead(1), head.id())) {
            keep(jdbc, head);
        }
        one(head, "claimed", jdbc.update(sql.messages.deleteClaimed, head.seq(), head.id(), head.version() + 1));
    }

    /**
     * After a rejection the handler's transaction may be doomed, which only PostgreSQL reports immediately: it is
     * repeated without history.
     */
    private void keep(Jdbc jdbc, MessageHead head) throws SQLException {
        try {
            jdbc.update(sql.messages.keepMessage, head.seq(), head.id());
        } catch (SQLException e) {
            if (SqlFailure.isTransient(e)) {
                throw e;
            }
            throw history.rejected(head, e);
        }
    }

    private static void one(MessageHead head, String what, int count) {
        if (count != 1) {
            throw new ClaimLostException("message " + head.id() + " (seq " + head.seq() + ", version " + head.version()
                    + "): the " + what + " row was not as expected, " + count + " rows matched");
        }
    }

    private void run(Statements statements) {
        try (Connection connection = dataSource.getConnection()) {
            on(connection, statements);
        } catch (SQLException e) {
            throw SqlFailure.ofStatement(CONNECTION, e);
        }
    }

    private void runLast(Statements statements) {
        try {
            last.run(connection -> on(connection, statements));
        } catch (ClaimLostException | StoreException e) {
            throw e;
        } catch (RuntimeException e) {
            // no statement has failed: JPA found no session or no connection, which is never the handler's fault
            throw new StoreException(CONNECTION + " failed", true, e);
        }
    }

    private void on(Connection connection, Statements statements) {
        try {
            statements.run(new Jdbc(connection, sql.dialect()));
        } catch (SQLException e) {
            throw SqlFailure.ofStatement(CONNECTION, e);
        }
    }
}
