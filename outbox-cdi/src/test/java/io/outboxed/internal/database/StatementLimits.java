package io.outboxed.internal.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Opens connections and records how long the server may take to answer what is executed on them. */
public final class StatementLimits implements ConnectionSource {
    private final ConnectionSource source;
    private final Queue<Statement> statements = new ConcurrentLinkedQueue<>();

    /** @param limitMillis 0 for none */
    public record Statement(String text, int limitMillis) {}

    public StatementLimits(ConnectionSource source) {
        this.source = source;
    }

    public List<Statement> statements() {
        return List.copyOf(statements);
    }

    @Override
    public Connection open() throws SQLException {
        Connection real = source.open();
        int[] limit = {0};
        return WatchedConnection.of(real, call -> {
            switch (call.name()) {
                case "getNetworkTimeout":
                    return limit[0];
                case "setNetworkTimeout":
                    limit[0] = (int) call.arguments()[1];
                    return null;
                case "prepareStatement":
                    statements.add(new Statement(call.prepared(), limit[0]));
                    break;
                case "createStatement", "commit", "rollback":
                    statements.add(new Statement(call.name(), limit[0]));
                    break;
                default:
                    break;
            }
            return call.proceed();
        });
    }
}
