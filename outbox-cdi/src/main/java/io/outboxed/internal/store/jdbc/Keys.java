package io.outboxed.internal.store.jdbc;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.database.Parts;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Names message rows by primary key and id, lowest first, so that two transactions can't deadlock. The id is compared
 * too, because a seq may be assigned again after a restore or a failover.
 */
final class Keys {
    private static final int NAMES_IN_A_STATEMENT = 500;

    private final List<Key> keys;

    private Keys(List<Key> keys) {
        this.keys = keys;
    }

    static Keys of(Collection<MessageHead> heads) {
        return named(heads.stream().map(Key::of).toList());
    }

    static Keys named(Collection<Key> keys) {
        return new Keys(keys.stream()
                .distinct()
                .sorted(Comparator.comparingLong(Key::seq))
                .toList());
    }

    record Key(long seq, UUID id) {
        static Key of(MessageHead head) {
            return new Key(head.seq(), head.id());
        }
    }

    /** A row that is locked by this transaction; due = when its delay has passed, delayed = it has not passed yet. */
    record Row(long seq, UUID id, MessageState status, int version, long due, boolean delayed) {

        Key key() {
            return new Key(seq, id);
        }

        /** The row has never been updated: no other row belongs to it. */
        boolean isUntouched() {
            return status == MessageState.READY && version == 0;
        }
    }

    /** Locks the existing rows that no other transaction has locked. */
    List<Row> lockFree(Jdbc jdbc, Sql sql) throws SQLException {
        return list(
                jdbc,
                sql.messages.lockFreeRows,
                row -> new Row(
                        row.getLong("seq"),
                        jdbc.uuid(row, "id"),
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
        for (Keys part : parts()) {
            changed += jdbc.batch(part.withKeys(jdbc, sql), part.parameters(jdbc));
        }
        return changed;
    }

    private <T> List<T> list(Jdbc jdbc, String sql, Jdbc.RowMapper<T> mapper) throws SQLException {
        List<T> rows = new ArrayList<>();
        for (Keys part : parts()) {
            String text = part.withKeys(jdbc, sql);
            for (Object[] parameters : part.parameters(jdbc)) {
                rows.addAll(jdbc.list(text, mapper, parameters));
            }
        }
        return rows;
    }

    private List<Keys> parts() {
        return Parts.of(keys, NAMES_IN_A_STATEMENT).stream().map(Keys::new).toList();
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
            connection.createArrayOf("bigint", keys.stream().map(Key::seq).toArray()),
            connection.createArrayOf("uuid", keys.stream().map(Key::id).toArray())
        };
    }
}
