package io.outboxed.datasource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.gjc.spi.LocalTransactionImpl;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReconnectingConnectionTest {
    private final Deque<Connection> opened = new ArrayDeque<>();
    private final AtomicLong outages = new AtomicLong();
    private final Connection lasting;
    private boolean down;

    ReconnectingConnectionTest() throws SQLException {
        lasting = ReconnectingConnection.of(
                () -> {
                    if (down) {
                        throw new SQLException("down");
                    }
                    opened.push(DriverManager.getConnection("jdbc:h2:mem:"));
                    return opened.peek();
                },
                outages);
    }

    @Test
    void after_one_connection_was_dead_the_others_are_checked_before_they_fail_a_transaction() throws SQLException {
        AtomicInteger checks = new AtomicInteger();
        AtomicInteger others = new AtomicInteger();
        Connection other = ReconnectingConnection.of(
                () -> others.getAndIncrement() == 0
                        ? cutWithoutNotice(checks)
                        : DriverManager.getConnection("jdbc:h2:mem:"),
                outages);
        other.setAutoCommit(false);
        assertThat(checks).as("without an outage there is nothing to check").hasValue(0);

        opened.peek().close();
        work();
        work(other);
        other.commit();
        work(other);

        assertThat(checks).hasValue(1);
        assertThat(others).as("opened again").hasValue(2);
        assertThat(other.getAutoCommit()).isFalse();
    }

    @Test
    void a_connection_that_has_outlived_an_outage_is_kept_and_checked_once() throws SQLException {
        Deque<Connection> kept = new ArrayDeque<>();
        Connection other = ReconnectingConnection.of(
                () -> {
                    kept.push(DriverManager.getConnection("jdbc:h2:mem:"));
                    return kept.peek();
                },
                outages);
        opened.peek().close();
        work();
        work(other);

        assertThat(kept).hasSize(1);
    }

    /** A connection whose driver has not noticed that the database is gone. */
    private static Connection cutWithoutNotice(AtomicInteger checks) throws SQLException {
        Connection real = DriverManager.getConnection("jdbc:h2:mem:");
        return (Connection) Proxy.newProxyInstance(
                ReconnectingConnectionTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "isValid" -> {
                        checks.incrementAndGet();
                        yield false;
                    }
                    case "createStatement" -> throw new SQLException("connection reset", "08006");
                    default -> method.invoke(real, arguments);
                });
    }

    @Test
    void a_dead_connection_is_opened_again_with_its_settings() throws SQLException {
        lasting.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        lasting.setAutoCommit(false);
        opened.peek().close();

        work();

        assertThat(opened).hasSize(2);
        assertThat(opened.peek().getAutoCommit()).isFalse();
        assertThat(opened.peek().getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
    }

    /** As the relay does with a connection that it borrows; it sets limits by SQL too. */
    @Test
    void a_connection_with_a_network_timeout_fails_until_that_is_taken_back() throws SQLException {
        lasting.setNetworkTimeout(Runnable::run, 20_000);
        opened.peek().close();

        assertThatThrownBy(this::work).isInstanceOf(SQLException.class);
        assertThat(opened).hasSize(1);
        lasting.setNetworkTimeout(Runnable::run, 0);
        work();
        assertThat(opened).hasSize(2);
    }

    /** The pool keeps it: it knows nothing of that. */
    @Test
    void a_connection_that_its_borrower_has_aborted_is_opened_again_for_the_next_one() throws SQLException {
        lasting.abort(Runnable::run);
        // as other drivers do
        opened.peek().close();

        work();

        assertThat(opened).hasSize(2);
    }

    /** Otherwise it would fail with the limit set, go back to its pool, and never be reopened for such a borrower. */
    @Test
    void a_dead_connection_is_opened_again_before_a_network_timeout_is_set() throws SQLException {
        Connection dead = opened.peek();
        dead.close();

        assertThat(lasting.getNetworkTimeout()).isZero();

        assertThat(opened.peek()).isNotSameAs(dead);
        work();
    }

    @Test
    void a_transaction_whose_connection_dies_fails_to_its_end() throws SQLException {
        lasting.setAutoCommit(false);
        work();
        opened.peek().close();

        assertThatThrownBy(this::work).isInstanceOf(SQLException.class);
        assertThatThrownBy(lasting::commit).isInstanceOf(SQLException.class);
        assertThat(opened).hasSize(1);

        work();
        assertThat(opened).hasSize(2);
    }

    /** The pool does not say so to this connection. */
    @Test
    void nor_does_one_begun_by_a_statement_of_its_pools_cache_continue_on_another_connection() throws SQLException {
        lasting.setAutoCommit(false);
        PreparedStatement cached = lasting.prepareStatement("select 1");
        cached.execute();
        lasting.commit();
        cached.execute();
        opened.peek().close();

        assertThatThrownBy(this::work).isInstanceOf(SQLException.class);
        assertThatThrownBy(lasting::commit).isInstanceOf(SQLException.class);
        assertThat(opened).hasSize(1);
    }

    @Test
    void nor_does_one_in_which_the_same_mode_was_set_once_more() throws SQLException {
        lasting.setAutoCommit(false);
        work();
        opened.peek().close();
        assertThatThrownBy(() -> lasting.setAutoCommit(false)).isInstanceOf(SQLException.class);

        assertThatThrownBy(this::work).isInstanceOf(SQLException.class);
        assertThat(opened).hasSize(1);
    }

    @Test
    void statements_that_were_closed_after_the_commit_keep_nothing_from_the_next_outage() throws SQLException {
        lasting.setAutoCommit(false);
        try (PreparedStatement late = lasting.prepareStatement("select 1")) {
            late.execute();
            lasting.commit();
        }
        work();
        lasting.commit();
        opened.peek().close();

        work();
        assertThat(opened).hasSize(2);
    }

    @Test
    void ending_a_transaction_by_the_auto_commit_mode_does_not_hide_that_its_connection_died() throws SQLException {
        lasting.setAutoCommit(false);
        work();
        opened.peek().close();

        assertThatThrownBy(() -> lasting.setAutoCommit(true)).isInstanceOf(SQLException.class);
    }

    @Test
    void a_transaction_that_could_not_begin_does_not_begin_in_auto_commit_mode_later() throws SQLException {
        opened.peek().close();
        down = true;
        assertThatThrownBy(() -> lasting.setAutoCommit(false)).hasMessage("down");
        down = false;

        work();

        assertThat(opened.peek().getAutoCommit()).isFalse();
    }

    /** Otherwise what is written without a transaction would wait for the next one, and be lost with it. */
    @Test
    void on_payara_a_transaction_that_the_outage_ended_leaves_auto_commit_mode_behind() throws SQLException {
        LocalTransactionImpl transaction = new LocalTransactionImpl(lasting);
        transaction.begin();
        work();
        opened.peek().close();
        assertThatThrownBy(transaction::commit).isInstanceOf(SQLException.class);

        work();

        assertThat(opened).hasSize(2);
        assertThat(opened.peek().getAutoCommit()).isTrue();
        transaction.begin();
        work();
        assertThat(opened.peek().getAutoCommit()).isFalse();
        transaction.commit();
        assertThat(opened).hasSize(2);
    }

    @Test
    void so_does_one_that_could_not_begin_there() throws SQLException {
        opened.peek().close();
        down = true;
        assertThatThrownBy(() -> new LocalTransactionImpl(lasting).begin()).hasMessage("down");
        down = false;

        work();

        assertThat(opened.peek().getAutoCommit()).isTrue();
    }

    @Test
    void other_pools_find_the_mode_that_they_have_set() throws SQLException {
        lasting.setAutoCommit(false);
        work();
        opened.peek().close();
        assertThatThrownBy(lasting::commit).isInstanceOf(SQLException.class);

        work();

        assertThat(opened.peek().getAutoCommit()).isFalse();
    }

    @Test
    void what_was_closed_by_its_owner_stays_closed() throws SQLException {
        lasting.close();

        assertThatThrownBy(this::work).isInstanceOf(SQLException.class);
        assertThat(lasting.isClosed()).isTrue();
        assertThat(opened).hasSize(1);
    }

    private void work() throws SQLException {
        work(lasting);
    }

    private static void work(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("select 1");
        }
    }
}
