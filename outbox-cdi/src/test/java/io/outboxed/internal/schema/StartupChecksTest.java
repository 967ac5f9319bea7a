package io.outboxed.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.StatementLimits;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.UUID;
import org.junit.jupiter.api.Test;

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
}
