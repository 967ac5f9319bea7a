package io.outboxed.internal.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Names message rows by primary key and id, lowest first so that two settlers can't deadlock. The id is matched too: a seq
 * is given out again after a restore or a failover.
 */
final class Keys {
    private final List<Key> keys;

    private Keys(List<Key> keys) {
        this.keys = keys;
    }

    static Keys of(Collection<Head> heads) {
        return new Keys(heads.stream()
                .map(head -> new Key(head.seq(), head.id()))
                .distinct()
                .sorted(Comparator.comparingLong(Key::seq))
                .toList());
    }

    private record Key(long seq, UUID id) {}

    /** A row that is locked now; due = when its delay has passed. */
    record Row(long seq, UUID id, Head.Status status, int version, long due) {}

    int size() {
        return keys.size();
    }

    List<Row> lock(Jdbc jdbc, String sql) throws SQLException {
        List<Row> rows = new ArrayList<>();
        for (Object[] parameters : parameters(jdbc)) {
            rows.addAll(jdbc.list(
                    sql,
                    row -> new Row(
                            row.getLong("seq"),
                            jdbc.uuid(row, "id"),
                            Head.Status.of(row.getInt("status")),
                            row.getInt("attempts"),
                            row.getLong("due_at")),
                    parameters));
        }
        return rows;
    }

    int update(Jdbc jdbc, String sql) throws SQLException {
        return keys.isEmpty() ? 0 : jdbc.batch(sql, parameters(jdbc));
    }

    /** One set of parameters for all rows, or one for each row where the database can't join a list. */
    private List<Object[]> parameters(Jdbc jdbc) throws SQLException {
        return switch (jdbc.dialect()) {
            case MYSQL, MARIADB -> List.<Object[]>of(new Object[] {json()});
            case POSTGRESQL -> List.<Object[]>of(arrays(jdbc.connection()));
            case H2 ->
                keys.stream().map(key -> new Object[] {key.seq(), key.id()}).toList();
        };
    }

    private String json() {
        return keys.stream()
                .map(key -> "[" + key.seq() + ",\"" + key.id().toString().replace("-", "") + "\"]")
                .collect(Collectors.joining(",", "[", "]"));
    }

    private Object[] arrays(Connection connection) throws SQLException {
        return new Object[] {
            connection.createArrayOf("bigint", keys.stream().map(Key::seq).toArray()),
            connection.createArrayOf("uuid", keys.stream().map(Key::id).toArray())
        };
    }
}
