package io.outboxed.faults;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The content of the database: what was committed, what the transactional handler wrote, and the dead letters.
 *
 * @param committed events by id
 * @param effects in the order of their commits within an account
 * @param seen the last state that the transactional handler saw of each account
 */
record Facts(Map<String, Event> committed, List<Effect> effects, Map<String, Long> seen) {

    /** @param dueAt no handler may be called before */
    record Event(String id, String account, long number, String trouble, long writtenAt, long dueAt) {
        boolean isReminder() {
            return account.isEmpty();
        }

        /** Whether it causes dead letters of the outside handler. */
        boolean isPoison() {
            return trouble.equals("POISON") || isCondemned();
        }

        boolean isCondemned() {
            return trouble.equals("CONDEMNED");
        }
    }

    record Effect(String id, String account, long number) {}

    /** @param id of the event, taken from its payload */
    record Letter(String id, String handler, String error) {
        private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"([^\"]+)\"");

        static Letter of(String payload, String handler, String error) {
            Matcher id = ID.matcher(payload);
            return new Letter(id.find() ? id.group(1) : "?", handler, error);
        }

        /**
         * It was running when nodes died, several times: the relay assumes that it killed them, and its error says so.
         */
        boolean blamesCrashes() {
            return error.contains("its node died");
        }

        boolean isOrdered(Map<String, Event> committed) {
            Event event = committed.get(id);
            return event != null && event.isPoison() && bean().equals("Courier");
        }

        /** The bean in a handler's name, which is bean and method. */
        String bean() {
            return handler.replaceFirst("\\..*", "");
        }
    }

    static Facts read(Connection connection) throws SQLException {
        Map<String, Event> committed = new LinkedHashMap<>();
        query(
                connection,
                "SELECT id, account, number, trouble, written_at, due_at FROM faults_committed ORDER BY account, number",
                row -> committed.put(
                        row.getString(1),
                        new Event(
                                row.getString(1),
                                row.getString(2),
                                row.getLong(3),
                                row.getString(4),
                                row.getLong(5),
                                row.getLong(6))));
        List<Effect> effects = new ArrayList<>();
        query(
                connection,
                "SELECT id, account, number FROM faults_effect ORDER BY no",
                row -> effects.add(new Effect(row.getString(1), row.getString(2), row.getLong(3))));
        Map<String, Long> seen = new HashMap<>();
        query(connection, "SELECT account, number FROM faults_seen", row -> seen.put(row.getString(1), row.getLong(2)));
        return new Facts(committed, effects, seen);
    }

    static List<Letter> letters(Connection connection) throws SQLException {
        List<Letter> letters = new ArrayList<>();
        query(connection, "SELECT payload, handler, error FROM outbox_dead", row -> {
            letters.add(Letter.of(row.getString(1), row.getString(2), row.getString(3)));
        });
        return letters;
    }

    static long count(Connection connection, String table) throws SQLException {
        long[] count = new long[1];
        query(connection, "SELECT COUNT(*) FROM " + table, row -> count[0] = row.getLong(1));
        return count[0];
    }

    private interface Row {
        void take(ResultSet row) throws SQLException;
    }

    private static void query(Connection connection, String sql, Row each) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                each.take(rows);
            }
        }
    }
}
