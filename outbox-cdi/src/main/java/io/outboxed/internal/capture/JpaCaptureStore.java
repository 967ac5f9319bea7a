package io.outboxed.internal.capture;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.hibernate.OutboxRow;
import io.outboxed.internal.store.jdbc.caller.AggregateLock;
import io.outboxed.internal.store.jdbc.caller.InboxEntry;
import io.outboxed.internal.store.jdbc.caller.InboxInsert;
import io.outboxed.internal.store.jdbc.caller.PublishedMessages;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/** Inserts messages as entities of a JPA session, and executes the other statements on the session's connection. */
@ApplicationScoped
class JpaCaptureStore implements CaptureStore {

    @Inject
    JpaUnit unit;

    @Inject
    OutboxConfig config;

    private volatile Statements statements;

    private record Statements(AggregateLock lock, InboxInsert inbox, PublishedMessages published) {}

    @Override
    public void write(List<OutboxRow> rows) {
        unit.insert(rows);
    }

    @Override
    public void lock(String aggregateId) {
        unit.onConnection(connection -> statements(connection).lock().take(connection, aggregateId));
    }

    @Override
    public UUID firstCall(String receiver, String messageId, UUID call) {
        return ask((statements, connection) -> statements.inbox().firstCall(connection, receiver, messageId, call));
    }

    @Override
    public List<InboxEntry> missing(List<InboxEntry> entries) {
        return ask((statements, connection) -> statements.inbox().missing(connection, entries));
    }

    @Override
    public boolean isStored(UUID id) {
        return ask((statements, connection) -> statements.published().isStored(connection, id));
    }

    @Override
    public boolean cancel(UUID id) {
        return ask((statements, connection) -> statements.published().cancel(connection, id));
    }

    @Override
    public long now() {
        return ask((statements, connection) -> statements.published().now(connection));
    }

    private interface Question<T> {
        T ask(Statements statements, Connection connection) throws SQLException;
    }

    private <T> T ask(Question<T> question) {
        AtomicReference<T> answer = new AtomicReference<>();
        unit.onConnection(connection -> answer.set(question.ask(statements(connection), connection)));
        return answer.get();
    }

    /** The dialect is detected by the first transaction, because the database may be down when this bean is created. */
    private Statements statements(Connection connection) throws SQLException {
        if (statements == null) {
            Dialect dialect = Dialect.from(connection.getMetaData());
            String prefix = config.database().tablePrefix();
            statements = new Statements(
                    new AggregateLock(dialect, prefix),
                    new InboxInsert(dialect, prefix),
                    new PublishedMessages(dialect, prefix));
        }
        return statements;
    }
}
