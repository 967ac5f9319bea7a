package io.outboxed.internal.store;

import io.outboxed.internal.database.ConnectionSource;
import io.outboxed.internal.database.WatchedConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** Connections that write down which statements are prepared on them. */
final class RecordedStatements implements ConnectionSource {
    private final ConnectionSource source;
    private final Queue<String> prepared = new ConcurrentLinkedQueue<>();
    private final Consumer<String> before;

    RecordedStatements(ConnectionSource source) {
        this(source, statement -> {});
    }

    /** @param before called with each statement before it is prepared */
    RecordedStatements(ConnectionSource source, Consumer<String> before) {
        this.source = source;
        this.before = before;
    }

    @Override
    public Connection open() throws SQLException {
        Connection real = source.open();
        return WatchedConnection.of(real, call -> {
            if (call.is("prepareStatement")) {
                prepared.add(call.prepared());
                before.accept(call.prepared());
            }
            return call.proceed();
        });
    }

    /** How often this one was prepared. */
    long count(String statement) {
        return prepared.stream().filter(statement::equals).count();
    }

    List<String> beginningWith(String beginning) {
        return prepared.stream().filter(sql -> sql.startsWith(beginning)).toList();
    }
}
