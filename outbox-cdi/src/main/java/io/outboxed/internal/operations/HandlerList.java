package io.outboxed.internal.operations;

import io.outboxed.admin.OutboxStatus;
import io.outboxed.admin.RegisteredHandler;
import io.outboxed.internal.database.Jdbc;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The registered handlers with what waits for each. No index leads to the deliveries of one, so all are counted. */
final class HandlerList {
    private static final OfHandler NONE = new OfHandler("", 0, 0);

    private HandlerList() {}

    /** @param read how many deliveries of the handler were read, in whatever state */
    private record OfHandler(String handler, long read, long waiting) {}

    static List<RegisteredHandler> read(Jdbc jdbc, OperationsSql sql) throws SQLException {
        List<OfHandler> counted = jdbc.list(
                sql.waitingByHandler,
                row -> new OfHandler(row.getString("handler"), row.getLong("seen"), row.getLong("found")),
                OutboxStatus.MAX_COUNT);
        boolean isAll = counted.stream().mapToLong(OfHandler::read).sum() < OutboxStatus.MAX_COUNT;
        Map<String, OfHandler> byHandler = counted.stream().collect(Collectors.toMap(OfHandler::handler, each -> each));
        return jdbc.list(
                sql.handlers,
                row -> new RegisteredHandler(
                        row.getString("type"),
                        row.getString("handler"),
                        row.getString("handler_group"),
                        row.getInt("retired") != 0,
                        row.getLong("registry_version"),
                        byHandler.getOrDefault(row.getString("handler"), NONE).waiting(),
                        isAll ? List.of() : List.of("waiting")));
    }
}
