package io.outboxed.datasource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.BatchUpdateException;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** After a switchover the old primary still answers, so for a pool each connection to it is a good one. */
class ReadOnlyServerTest {
    private static final String WRITE = "create table if not exists written (id int)";
    private final List<Connection> opened = new ArrayList<>();
    private final Connection lasting;
    private SQLException refusal;

    ReadOnlyServerTest() throws SQLException {
        lasting = ReconnectingConnection.of(
                () -> {
                    opened.add(DriverManager.getConnection("jdbc:h2:mem:"));
                    return opened.size() == 1 ? refusing(opened.get(0)) : opened.get(opened.size() - 1);
                },
                new AtomicLong());
    }

    @ParameterizedTest
    @CsvSource({"HY000, 1290", "HY000, 1836", "25006, 1792", "25006, 0"})
    void a_transaction_that_it_refuses_is_rolled_back_there_and_the_next_one_is_on_a_new_connection(
            String state, int code) throws SQLException {
        refusal = new SQLException("read only", state, code);
        lasting.setAutoCommit(false);
        assertThatThrownBy(this::write).isSameAs(refusal);
        assertThat(opened.get(0).isClosed()).as("before the rollback").isFalse();

        lasting.rollback();
        assertThat(opened.get(0).isClosed()).as("after it").isTrue();
        write();
        lasting.commit();

        assertThat(opened).hasSize(2);
        assertThat(opened.get(1).getAutoCommit()).isFalse();
    }

    @Test
    void a_refused_write_in_auto_commit_mode_closes_the_connection() throws SQLException {
        refusal = new SQLException("read only", "HY000", 1290);
        assertThatThrownBy(this::write).isSameAs(refusal);
        assertThat(opened.get(0).isClosed()).isTrue();

        write();

        assertThat(opened).hasSize(2);
    }

    @Test
    void a_batch_whose_next_exception_says_read_only_closes_the_connection() throws SQLException {
        refusal = new BatchUpdateException("a batch failed", "HY000", 0, new int[0]);
        refusal.setNextException(new SQLException("read only", "25006"));
        try (PreparedStatement batch = lasting.prepareStatement(WRITE)) {
            batch.addBatch();
            assertThatThrownBy(batch::executeBatch).isSameAs(refusal);
        }

        write();

        assertThat(opened).hasSize(2);
    }

    @Test
    void a_commit_that_is_refused_as_read_only_closes_the_connection() throws SQLException {
        lasting.setAutoCommit(false);
        write();
        refusal = new SQLException("read only", "HY000", 1290);
        assertThatThrownBy(lasting::commit).isSameAs(refusal);

        write();

        assertThat(opened).hasSize(2);
    }

    @Test
    void any_other_failure_leaves_the_connection_as_it_is() throws SQLException {
        refusal = new SQLException("duplicate key", "23000", 1062);
        assertThatThrownBy(this::write).isSameAs(refusal);
        refusal = null;

        write();

        assertThat(opened).hasSize(1);
    }

    @Test
    void a_statement_is_still_of_its_kind_and_of_its_driver() throws SQLException {
        try (Statement plain = lasting.createStatement();
                PreparedStatement prepared = lasting.prepareStatement("select 1");
                CallableStatement call = lasting.prepareCall("call 1")) {
            assertThat(plain).isNotInstanceOf(PreparedStatement.class);
            assertThat(prepared).isNotInstanceOf(CallableStatement.class).isEqualTo(prepared);
            assertThat(prepared.unwrap(PreparedStatement.class)).isNotNull();
            assertThat(prepared.hashCode()).isEqualTo(prepared.hashCode());
            assertThat(call.execute()).isTrue();
        }
    }

    private void write() throws SQLException {
        try (Statement statement = lasting.createStatement()) {
            statement.execute(WRITE);
        }
    }

    private Connection refusing(Connection real) {
        return proxy(Connection.class, real);
    }

    private <T> T proxy(Class<T> type, Object real) {
        return type.cast(Proxy.newProxyInstance(
                ReadOnlyServerTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    String name = method.getName();
                    if (refusal != null && (name.startsWith("execute") || name.equals("commit"))) {
                        throw refusal;
                    }
                    try {
                        Object answer = method.invoke(real, arguments);
                        return name.startsWith("prepare") || name.startsWith("create")
                                ? proxy(method.getReturnType(), answer)
                                : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
