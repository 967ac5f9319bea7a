package io.outboxed.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.OutboxException;
import io.outboxed.internal.store.JdbcContract;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** Whether what a data source writes is undone with the transaction: seen by a write that is rolled back. */
public interface JtaProbeContract extends JdbcContract {

    @Test
    default void a_connection_whose_writes_are_rolled_back_takes_part_in_transactions() throws SQLException {
        assertThatCode(() -> probe().check("the data source", this::rolledBack)).doesNotThrowAnyException();
        assertThat(probe().isOutsideJta("jdbc/main", this::rolledBack)).isFalse();
        assertThat(probed()).isZero();
    }

    @Test
    default void a_connection_whose_writes_stay_is_refused_and_the_probe_leaves_nothing_behind() throws SQLException {
        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(() -> probe().check("the data source", this::atOnce))
                .withMessageStartingWith("OUTBOX-0309 the data source takes part in no JTA transaction");
        assertThat(probe().isOutsideJta("jdbc/main", this::atOnce)).isTrue();
        assertThat(probed()).isZero();
    }

    /** Each of them would overwrite what shows the other one that its write has stayed. */
    @Test
    default void a_connection_whose_writes_stay_is_refused_on_each_of_two_nodes_that_start_at_once()
            throws SQLException {
        assertThatExceptionOfType(OutboxException.class)
                .isThrownBy(() -> probe().check("the data source of one node", write -> {
                    atOnce(write);
                    assertThatExceptionOfType(OutboxException.class)
                            .isThrownBy(() -> probe().check("the data source of the other node", this::atOnce))
                            .withMessageStartingWith("OUTBOX-0309 the data source of the other node");
                }))
                .withMessageStartingWith("OUTBOX-0309 the data source of one node");
        assertThat(probed()).isZero();
    }

    @Test
    default void a_connection_in_order_is_accepted_while_another_node_tests_its_own() throws SQLException {
        assertThatCode(() -> probe().check("the data source of one node", write -> {
                    atOnce(ignored -> probe().check("the data source of the other node", this::rolledBack));
                    rolledBack(write);
                }))
                .doesNotThrowAnyException();
        assertThatCode(() -> probe().check(
                                "the data source of one node",
                                write -> rolledBack(connection -> {
                                    write.on(connection);
                                    probe().check("the data source of the other node", this::rolledBack);
                                })))
                .as("neither waits for the other's transaction")
                .doesNotThrowAnyException();
        assertThat(probed()).isZero();
    }

    private JtaProbe probe() {
        return new JtaProbe(jdbc().source(), jdbc().dialect(), jdbc().prefix());
    }

    private void rolledBack(JtaProbe.Write write) throws SQLException {
        try (Connection connection = jdbc().open()) {
            connection.setAutoCommit(false);
            write.on(connection);
            connection.rollback();
        }
    }

    private void atOnce(JtaProbe.Write write) throws SQLException {
        try (Connection connection = jdbc().open()) {
            connection.setAutoCommit(true);
            write.on(connection);
        }
    }

    private int probed() {
        return jdbc().count("outbox_meta WHERE name LIKE 'probe%' AND (name <> 'probe' OR setting <> 0)");
    }
}
