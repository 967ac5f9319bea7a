package io.outboxed.bench.systems;

import java.sql.ResultSet;
import java.sql.SQLException;

/** A pending row as read with plain JDBC. */
record PlainRow(long seq, Object id, long lane, String payload) {
    static final String COLUMNS = "seq, id, lane, payload";

    static PlainRow of(ResultSet row) throws SQLException {
        return new PlainRow(row.getLong(1), row.getObject(2), row.getLong(3), row.getString(4));
    }
}
