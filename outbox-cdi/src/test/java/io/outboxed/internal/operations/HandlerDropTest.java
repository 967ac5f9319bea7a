package io.outboxed.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.admin.Attribution;
import io.outboxed.admin.RegisteredHandler.Drop;
import io.outboxed.admin.RegisteredHandler.Verdict;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.StatementLimits;
import io.outboxed.internal.schema.Schema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is read to decide whether the deliveries of a handler may be dropped. */
class HandlerDropTest {
    private static final Attribution ALICE = new Attribution("alice", "test", "no longer needed");

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private final StatementLimits source = new StatementLimits(() -> DriverManager.getConnection(url));
    private final OutboxOperations operations = new OutboxOperations(source, Dialect.H2, "outbox_");

    @BeforeEach
    void register() throws SQLException {
        new Schema(source, Dialect.H2, "outbox_").create();
        try (Connection connection = source.open()) {
            new Jdbc(connection, Dialect.H2)
                    .update("INSERT INTO outbox_handler (type, handler, handler_group, registry_version, retired)"
                            + " VALUES ('order.placed', 'old', 'old', 1, 1)");
        }
    }

    @AfterEach
    void close() {
        operations.close();
    }

    /** The count of a preview reads many rows, and the drop that follows it does not need another one. */
    @Test
    void a_drop_of_a_registered_handler_does_not_count_what_waits() {
        Drop drop = new Drop("old", false, null);
        assertThat(operations.handlerDrop().preview(drop).verdict()).isEqualTo(Verdict.ACCEPTED);
        assertThat(counts()).as("the preview").isEqualTo(1);

        assertThat(operations.handlerDrop().drop(drop, 10, ALICE).verdict()).isEqualTo(Verdict.ACCEPTED);
        assertThat(counts()).as("the preview and the drop").isEqualTo(1);
    }

    @Test
    void that_of_another_one_depends_on_whether_anything_waits() {
        Drop drop = new Drop("unknown", false, null);
        assertThat(operations.handlerDrop().drop(drop, 10, ALICE).verdict()).isEqualTo(Verdict.UNKNOWN_HANDLER);
        assertThat(counts()).isEqualTo(1);
    }

    private long counts() {
        return source.statements().stream()
                .filter(each -> each.text().contains("COUNT(*) AS seen"))
                .count();
    }
}
