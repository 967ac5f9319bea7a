package io.outboxed.it.capture;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import org.h2.api.Trigger;

/** What SQL does in the triggers of the other databases, see {@code writes-h2.sql}. */
public class H2WriteTrigger implements Trigger {
    private String kind;
    private int about;

    @Override
    public void init(Connection connection, String schema, String trigger, String table, boolean before, int type)
            throws SQLException {
        kind = table.equalsIgnoreCase("outbox_message") ? "outbox" : "business";
        String column = switch (table.toLowerCase(Locale.ROOT)) {
            case "outbox_message" -> "aggregate_id";
            case "it_booking" -> "account";
            default -> "id";
        };
        try (ResultSet columns = connection.getMetaData().getColumns(null, schema, table, null)) {
            while (columns.next()) {
                if (columns.getString("COLUMN_NAME").equalsIgnoreCase(column)) {
                    about = columns.getInt("ORDINAL_POSITION") - 1;
                }
            }
        }
    }

    @Override
    public void fire(Connection connection, Object[] before, Object[] after) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into it_write (kind, about, session_id) values (?, ?, session_id())")) {
            insert.setString(1, kind);
            insert.setObject(2, after[about]);
            insert.executeUpdate();
        }
    }
}
