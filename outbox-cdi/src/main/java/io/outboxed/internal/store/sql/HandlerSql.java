package io.outboxed.internal.store.sql;

import io.outboxed.admin.PauseTarget;
import io.outboxed.internal.database.Dialect;

/** Registered handlers, and what is paused. */
public final class HandlerSql extends StoreSql {
    public HandlerSql(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    public final String raiseRegistry = of("UPDATE outbox_meta SET setting = ? WHERE name = 'registry'");
    public final String all = of("SELECT type, handler, handler_group, registry_version, retired FROM outbox_handler");
    public final String addHandler = of(
            "INSERT INTO outbox_handler (type, handler, handler_group, registry_version, retired) VALUES (?, ?, ?, ?, 0)");
    public final String changeHandler = of(
            "UPDATE outbox_handler SET handler_group = ?, registry_version = ?, retired = 0 WHERE type = ? AND handler = ?");
    public final String registry = of("SELECT r.setting, h.type, h.handler, h.handler_group, h.registry_version"
            + " FROM outbox_meta r LEFT JOIN outbox_handler h ON h.retired = 0 WHERE r.name = 'registry'");

    /** A newer version may know more kinds: they concern its nodes. */
    public final String pauses = of("SELECT kind, name, paused_at, paused_by, reason FROM outbox_pause WHERE kind < "
            + PauseTarget.Kind.values().length + " ORDER BY kind, name");
}
