package io.outboxed.internal.store;

import io.outboxed.DeadLetter;
import io.outboxed.admin.AuditEntry;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkOperation.State;
import io.outboxed.admin.BulkRequest;
import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.operations.BulkOperations;
import io.outboxed.internal.operations.BulkRunner;
import io.outboxed.internal.operations.ManualCleanup;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.store.jdbc.DeadLetterStore;
import java.util.List;
import java.util.function.Consumer;

/** A node that works on bulk operations, with connections of its own. */
final class BulkNode implements AutoCloseable {
    private final OutboxOperations operations;
    private final Connections lasting;
    private final BulkRunner runner;

    BulkNode(JdbcFixture jdbc, ConnectionSource source, Consumer<DeadLetter> discarded) {
        this.operations = OutboxOperations.open(source, jdbc.prefix());
        this.lasting = new Connections(source, jdbc.dialect(), 1);
        this.runner = operations.bulkRunner(lasting, discarded);
    }

    BulkOperation start(BulkRequest request) {
        return operations.bulk().start(request, BulkFixture.BOB);
    }

    /** @return how it is afterwards */
    BulkOperation work(BulkOperation operation) {
        runner.work();
        return operations.bulk().find(operation.id()).orElseThrow();
    }

    BulkOperation workUntilItEnds(BulkOperation operation) {
        BulkOperation now = operation;
        for (int i = 0; i < 100 && now.state() == State.RUNNING; i++) {
            now = work(operation);
        }
        return now;
    }

    BulkOperations bulk() {
        return operations.bulk();
    }

    DeadLetterStore deadLetters() {
        return operations.deadLetters();
    }

    ManualCleanup cleanup() {
        return operations.cleanup();
    }

    List<AuditEntry> audit() {
        return operations.audit().page(null, 1_000).entries();
    }

    @Override
    public void close() {
        lasting.close();
        operations.close();
    }
}
