package io.outboxed.internal.store.jdbc;

import io.outboxed.admin.Pause;
import io.outboxed.admin.PauseTarget;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.EpochMicros;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.cluster.HandlerRegistration;
import io.outboxed.internal.store.cluster.HandlerRegistrations;
import io.outboxed.internal.store.cluster.RegistrySnapshot;
import io.outboxed.internal.store.sql.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The handlers of each event type, as registered by all deployments. */
final class JdbcHandlerRegistrations implements HandlerRegistrations {
    private final Connections connections;
    private final Sql sql;

    JdbcHandlerRegistrations(Connections connections, Sql sql) {
        this.connections = connections;
        this.sql = sql;
    }

    private record Known(HandlerRegistration registration, long registryVersion, boolean retired) {}

    private record Entry(long registryVersion, String type, String handler, String group, long addedBy) {}

    @Override
    public Versions register(Collection<HandlerRegistration> handlers) {
        return connections.transaction(jdbc -> {
            // two deployments at once: the second waits here and then sees the handlers of the first
            long registryVersion = jdbc.first(sql.handlers.lockRegistry, row -> row.getLong("setting"))
                    .orElseThrow(() -> new SQLException("row 'registry' of the meta table is missing"));
            Map<HandlerKey, Known> known = known(jdbc);
            long deployment = 0;
            List<Object[]> added = new ArrayList<>();
            List<Object[]> changed = new ArrayList<>();
            for (HandlerRegistration each : new LinkedHashSet<>(handlers)) {
                Known before = known.get(each.key());
                boolean isNew = before == null || before.retired();
                long addedBy = isNew ? registryVersion + 1 : before.registryVersion();
                deployment = Math.max(deployment, addedBy);
                if (before == null) {
                    added.add(new Object[] {each.type(), each.handler(), each.group(), addedBy});
                } else if (before.retired() || !before.registration().group().equals(each.group())) {
                    changed.add(new Object[] {each.group(), addedBy, each.type(), each.handler()});
                }
            }
            if (added.isEmpty() && changed.isEmpty()) {
                return new Versions(registryVersion, deployment);
            }
            jdbc.batch(sql.handlers.addHandler, added);
            jdbc.batch(sql.handlers.changeHandler, changed);
            jdbc.update(sql.handlers.raiseRegistry, registryVersion + 1);
            return new Versions(registryVersion + 1, deployment);
        });
    }

    private Map<HandlerKey, Known> known(Jdbc jdbc) throws SQLException {
        return jdbc
                .list(
                        sql.handlers.all,
                        row -> new Known(
                                new HandlerRegistration(
                                        row.getString("type"),
                                        row.getString("handler"),
                                        row.getString("handler_group")),
                                row.getLong("registry_version"),
                                row.getInt("retired") != 0))
                .stream()
                .collect(Collectors.toMap(known -> known.registration().key(), Function.identity()));
    }

    @Override
    public RegistrySnapshot snapshot() {
        List<Entry> entries = connections.autoCommit(jdbc -> jdbc.list(
                sql.handlers.registry,
                row -> new Entry(
                        row.getLong("setting"),
                        row.getString("type"),
                        row.getString("handler"),
                        row.getString("handler_group"),
                        row.getLong("registry_version"))));
        if (entries.isEmpty()) {
            throw new StoreException("row 'registry' of the meta table is missing", false, null);
        }
        Map<String, SortedMap<String, String>> handlers = new TreeMap<>();
        Map<HandlerKey, Long> addedBy = new HashMap<>();
        for (Entry entry : entries) {
            if (entry.type() != null) {
                handlers.computeIfAbsent(entry.type(), type -> new TreeMap<>()).put(entry.handler(), entry.group());
                addedBy.put(new HandlerKey(entry.type(), entry.handler()), entry.addedBy());
            }
        }
        return new RegistrySnapshot(entries.get(0).registryVersion(), handlers, addedBy);
    }

    @Override
    public List<Pause> pauses() {
        return connections.autoCommit(jdbc -> jdbc.list(
                sql.handlers.pauses,
                row -> new Pause(
                        new PauseTarget(PauseTarget.Kind.values()[row.getInt("kind")], row.getString("name")),
                        EpochMicros.toInstant(row.getLong("paused_at")),
                        row.getString("paused_by"),
                        row.getString("reason"))));
    }
}
