package io.outboxed.operator;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.operations.BulkRunner;
import io.outboxed.internal.operations.OutboxOperations;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** One way to the engine on one database. No node relays meanwhile, so the tables are as the operator leaves them. */
public abstract class OperatorContract
        implements StatusContract,
                DeadLetterSelectionContract,
                FailureGroupsContract,
                PagesContract,
                OneDeliveryContract,
                ManyDeadLettersContract,
                ManyRetriesContract,
                DropsContract,
                PausesContract,
                RefusedArgumentsContract {
    private Tables tables;

    protected abstract ConnectionSource source();

    protected abstract Dialect dialect();

    @BeforeEach
    final void openTables() throws SQLException {
        tables = Tables.empty(source(), dialect());
    }

    @AfterEach
    final void closeTables() throws SQLException {
        tables.close();
    }

    @Override
    public final Tables tables() {
        return tables;
    }

    @Override
    public final void nodesWorkOnce() {
        onNode(BulkRunner::work);
    }

    @Override
    public final void nodesWork() {
        onNode(runner -> {
            while (isAnythingRunning()) {
                runner.work();
            }
        });
    }

    private boolean isAnythingRunning() {
        try {
            return !tables.texts("SELECT state FROM outbox_operation WHERE state = 0")
                    .isEmpty();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void onNode(Consumer<BulkRunner> work) {
        try (OutboxOperations node = OutboxOperations.open(source(), "outbox_");
                Connections lasting = new Connections(source(), dialect(), 1)) {
            work.accept(node.bulkRunner(lasting, discarded -> {}));
        }
    }
}
