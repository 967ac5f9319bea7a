package io.outboxed.datasource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

class LastingConnectionTest {
    private final Deque<Connection> opened = new ArrayDeque<>();
    private final Connection lasting;
    private boolean down;

    LastingConnectionTest() throws SQLException {
        lasting = ReconnectingConnection.of(() -> {
            if (down) {
                throw new SQLException("down");
            }
            opened.push(DriverManager.getConnection("jdbc:h2:mem:"));
            return opened.peek();
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

    @Test
    void what_was_closed_by_its_owner_stays_closed() throws SQLException {
        lasting.close();

        assertThatThrownBy(this::work).isInstanceOf(SQLException.class);
        assertThat(lasting.isClosed()).isTrue();
        assertThat(opened).hasSize(1);
    }

    private void work() throws SQLException {
        try (Statement statement = lasting.createStatement()) {
            statement.execute("select 1");
        }
    }
}
