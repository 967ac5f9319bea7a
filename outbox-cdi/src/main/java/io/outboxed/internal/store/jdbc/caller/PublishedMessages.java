package io.outboxed.internal.store.jdbc.caller;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** What a publisher asks about messages, and the cancellation of one that no relay can have started. */
public final class PublishedMessages {
    private final Dialect dialect;
    private final Sql sql;

    public PublishedMessages(Dialect dialect, String prefix) {
        this.dialect = dialect;
        this.sql = new Sql(dialect, prefix);
    }

    /** Whether a message or a dead letter with this id is stored and visible. */
    public boolean isStored(Connection connection, UUID id) throws SQLException {
        return jdbc(connection).exists(sql.caller.stored, id, id);
    }

    /**
     * Deletes a message whose delay has not passed. A relay calls a delayed message only after it has found its row
     * unlocked with its delay over, see {@code MessageReads.startable}: from then on this finds the delay over too.
     *
     * @return false if there is no such message
     */
    public boolean cancel(Connection connection, UUID id) throws SQLException {
        Jdbc jdbc = jdbc(connection);
        // without a lock: in REPEATABLE READ a locking read that finds nothing locks a gap and blocks inserts of others
        Optional<Long> seq = jdbc.first(sql.caller.cancellable, row -> row.getLong("seq"), id);
        if (seq.isEmpty() || !jdbc.exists(sql.messages.lockMessage, seq.get(), id)) {
            return false;
        }
        // the lock may have been waited for, and within a statement the clock stands still
        return jdbc.update(sql.caller.cancel, seq.get(), id) == 1;
    }

    /** The clock by which delays are counted, in microseconds since 1970. */
    public long now(Connection connection) throws SQLException {
        return jdbc(connection).number(sql.statistics.clock).orElseThrow();
    }

    private Jdbc jdbc(Connection connection) {
        return new Jdbc(connection, dialect);
    }
}
