package org.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.annotation.Resource;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.UserTransaction;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** JTA ends its transactions, and JDBC the others. */
@OutboxTest({Orders.class, Mailer.class})
class TransactionControlTest {

    @Inject
    OutboxTester outbox;

    @Resource
    DataSource dataSource;

    @Resource
    UserTransaction transactions;

    private interface Work {
        void on(Connection connection) throws SQLException;
    }

    @Test
    void a_transaction_of_jta_is_not_ended_through_its_connection() {
        outbox.inTransaction(() -> connected(connection -> {
            assertRefused("commit", connection::commit);
            assertRefused("rollback", connection::rollback);
            assertRefused("setAutoCommit", () -> connection.setAutoCommit(true));
        }));
    }

    @Test
    void work_that_ends_with_a_checked_exception_leaves_no_transaction_open() throws Exception {
        IOException failure = new IOException("of a lambda in Kotlin");

        assertThatThrownBy(() -> outbox.inTransaction(() -> sneak(failure))).isSameAs(failure);

        assertThat(transactions.getStatus()).isEqualTo(Status.STATUS_NO_TRANSACTION);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> void sneak(Exception failure) throws E {
        throw (E) failure;
    }

    @Test
    void in_a_transaction_of_jta_a_connection_may_undo_a_part() {
        connected(connection -> execute(connection, "CREATE TABLE part (id INTEGER)"));
        outbox.inTransaction(() -> connected(connection -> {
            connection.setAutoCommit(false);
            execute(connection, "INSERT INTO part (id) VALUES (1)");
            Savepoint before = connection.setSavepoint();
            execute(connection, "INSERT INTO part (id) VALUES (2)");
            connection.rollback(before);
        }));
        connected(connection -> {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT COUNT(*), MAX(id) FROM part")) {
                row.next();
                assertThat(List.of(row.getInt(1), row.getInt(2))).containsExactly(1, 1);
            }
        });
    }

    @Test
    void without_one_a_connection_has_transactions_of_its_own() {
        connected(connection -> {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                assertThat(statement.executeQuery("SELECT 1").next()).isTrue();
            }
            connection.rollback();
            connection.commit();
            connection.setAutoCommit(true);
        });
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void assertRefused(String method, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(SQLException.class)
                .hasMessageStartingWith(method + " was called on a connection of a JTA transaction");
    }

    private void connected(Work work) {
        try (Connection connection = dataSource.getConnection()) {
            work.on(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
