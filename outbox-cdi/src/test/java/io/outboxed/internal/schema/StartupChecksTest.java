package io.outboxed.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.StatementLimits;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.database.WatchedConnection;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StartupChecksTest {
    private static final String PREFIX = "outbox_";

    /** A start that waits for a server that has fallen silent would hold the relay, and its undeployment, for hours. */
    @Test
    void each_statement_of_a_start_has_a_limit_for_the_network() {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        StatementLimits source = new StatementLimits(() -> DriverManager.getConnection(url));
        Schema schema = new Schema(source, Dialect.H2, PREFIX);

        schema.create();
        schema.verify();
        new DatabaseCheck(source, Dialect.H2, PREFIX).check();
        new LockProbe(source, source, Dialect.H2, PREFIX).check();
        new JtaProbe(source, Dialect.H2, PREFIX).check("a pool", write -> {
            try (Connection pooled = DriverManager.getConnection(url)) {
                pooled.setAutoCommit(false);
                write.on(pooled);
                pooled.rollback();
            }
        });

        assertThat(source.statements()).hasSizeGreaterThan(20).allMatch(statement -> statement.limitMillis() > 0);
    }

    /** The limit is that of the relay's connections, so the server is overloaded, and a later try may succeed. */
    @ParameterizedTest
    @ValueSource(strings = {"prepareStatement", "commit"})
    void a_server_that_ends_reading_or_creating_the_tables_at_the_limit_of_time_is_waited_for(String slow) {
        ConnectionSource source =
                () -> WatchedConnection.of(DriverManager.getConnection("jdbc:h2:mem:" + UUID.randomUUID()), call -> {
                    if (call.is(slow)) {
                        throw new SQLException("canceling statement due to statement timeout", "57014");
                    }
                    return call.proceed();
                });

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> new Schema(source, Dialect.H2, PREFIX).create())
                .matches(StoreException::isTransient);
    }
}
