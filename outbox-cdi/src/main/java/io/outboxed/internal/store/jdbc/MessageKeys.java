package io.outboxed.internal.store.jdbc;

import io.outboxed.internal.database.Chunks;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.MessageKey;
import io.outboxed.internal.store.sql.Sql;
import io.outboxed.internal.store.sql.StateCodes;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Names message rows, lowest first, so that two transactions can't deadlock. */
final class MessageKeys {
    private static final int NAMES_IN_A_STATEMENT = 500;

    private final List<MessageKey> keys;

    private MessageKeys(List<MessageKey> keys) {
        this.keys = keys;
    }

    static MessageKeys of(Collection<MessageHead> heads) {
        return named(heads.stream().map(MessageHead::key).toList());
    }

    static MessageKeys named(Collection<MessageKey> keys) {
        return new MessageKeys(keys.stream()
                .distinct()
                .sorted(Comparator.comparingLong(MessageKey::seq))
                .toList());
    }

    /** Locks the existing rows that no other transaction has locked. */
    List<LockedMessage> lockFree(Jdbc jdbc, Sql sql) throws SQLException {
        return list(
                jdbc,
                sql.messages.lockFreeRows,
                row -> new LockedMessage(
                        new MessageKey(row.getLong("seq"), jdbc.uuid(row, "id")),
                        StateCodes.messageState(row),
                        row.getInt("version"),
                        row.getLong("due_at"),
                        row.getInt("delayed_now") == 1));
    }

    /** The numbers of the existing rows, locked or not. */
    Set<Long> existing(Jdbc jdbc, Sql sql) throws SQLException {
        return new HashSet<>(list(jdbc, sql.messages.hasRows, row -> row.getLong("seq")));
    }

    /** @return how many rows were changed */
    int update(Jdbc jdbc, String sql) throws SQLException {
        int changed = 0;
        for (MessageKeys part : parts()) {
            changed += jdbc.batch(part.withKeys(jdbc, sql), part.parameters(jdbc));
        }
        return changed;
    }

    private <T> List<T> list(Jdbc jdbc, String sql, Jdbc.RowMapper<T> mapper) throws SQLException {
        List<T> rows = new ArrayList<>();
        for (MessageKeys part : parts()) {
            String text = part.withKeys(jdbc, sql);
            for (Object[] parameters : part.parameters(jdbc)) {
                rows.addAll(jdbc.list(text, mapper, parameters));
            }
        }
        return rows;
    }

    private List<MessageKeys> parts() {
        return Chunks.of(keys, NAMES_IN_A_STATEMENT).stream()
                .map(MessageKeys::new)
                .toList();
    }

    /**
     * Uses literals, because a parameter in a SELECT list has no type, and a join with an untyped column uses no index.
     */
    private String withKeys(Jdbc jdbc, String sql) {
        if (!jdbc.dialect().isMySqlFamily()) {
            return sql;
        }
        return sql.replace(
                ":keys",
                keys.stream()
                        .map(key -> "SELECT " + key.seq() + " AS seq, x'"
                                + key.id().toString().replace("-", "") + "' AS id")
                        .collect(Collectors.joining(" UNION ALL ")));
    }

    /** One set of parameters for all rows, or one for each row if the database can't join a list. */
    private List<Object[]> parameters(Jdbc jdbc) throws SQLException {
        return switch (jdbc.dialect()) {
            case MYSQL, MARIADB -> List.<Object[]>of(new Object[0]);
            case POSTGRESQL -> List.<Object[]>of(arrays(jdbc.connection()));
            case H2 ->
                keys.stream().map(key -> new Object[] {key.seq(), key.id()}).toList();
        };
    }

    private Object[] arrays(Connection connection) throws SQLException {
        return new Object[] {
            connection.createArrayOf(
                    "bigint", keys.stream().map(MessageKey::seq).toArray()),
            connection.createArrayOf("uuid", keys.stream().map(MessageKey::id).toArray())
        };
    }
}
