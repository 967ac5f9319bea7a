package io.outboxed.internal.store;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The handlers of each event type, by all deployments' word. */
final class JdbcHandlers {
    private final Connections connections;
    private final Sql sql;

    JdbcHandlers(Connections connections, Sql sql) {
        this.connections = connections;
        this.sql = sql;
    }

    private record Known(HandlerKey key, boolean retired) {}

    private record Entry(long version, String type, String handler) {}

    long register(Collection<HandlerRegistration> handlers) {
        return connections.transaction(jdbc -> {
            // two deployments at once: the second waits here and then sees the handlers of the first
            long version = jdbc.first(sql.lockRegistry, row -> row.getLong("setting"))
                    .orElseThrow(() -> new SQLException("row 'registry' of the meta table is missing"));
            Map<HandlerKey, Boolean> retired = known(jdbc);
            List<Object[]> added = new ArrayList<>();
            List<Object[]> broughtBack = new ArrayList<>();
            for (HandlerRegistration registration : new LinkedHashSet<>(handlers)) {
                HandlerKey key = registration.key();
                if (!retired.containsKey(key)) {
                    added.add(new Object[] {key.type(), key.handler(), version + 1});
                } else if (retired.get(key)) {
                    broughtBack.add(new Object[] {version + 1, key.type(), key.handler()});
                }
            }
            if (added.isEmpty() && broughtBack.isEmpty()) {
                return version;
            }
            jdbc.batch(sql.addHandler, added);
            jdbc.batch(sql.bringBackHandler, broughtBack);
            jdbc.update(sql.raiseRegistry, version + 1);
            return version + 1;
        });
    }

    private Map<HandlerKey, Boolean> known(Jdbc jdbc) throws SQLException {
        return jdbc
                .list(
                        sql.handlers,
                        row -> new Known(
                                new HandlerKey(row.getString("type"), row.getString("handler")),
                                row.getInt("retired") != 0))
                .stream()
                .collect(Collectors.toMap(Known::key, Known::retired));
    }

    Registry registry() {
        List<Entry> entries = connections.read(jdbc -> jdbc.list(
                sql.registry,
                row -> new Entry(row.getLong("setting"), row.getString("type"), row.getString("handler"))));
        if (entries.isEmpty()) {
            throw new StoreException("row 'registry' of the meta table is missing", false, null);
        }
        Map<String, SortedMap<String, String>> handlers = new TreeMap<>();
        for (Entry entry : entries) {
            if (entry.type() != null) {
                handlers.computeIfAbsent(entry.type(), type -> new TreeMap<>()).put(entry.handler(), entry.handler());
            }
        }
        return new Registry(entries.get(0).version(), handlers);
    }
}
