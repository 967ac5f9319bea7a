package io.outboxed.faults.history;

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
 * The content of the database: what was committed, what the handlers wrote, the dead letters, and the bulk operations.
 *
 * @param committed events by id
 * @param effects in the order of their commits within an account
 * @param seen the last state that the transactional handler saw of each account
 * @param receipts how many the outside handler has written for each event
 * @param operations in the order of their starts
 */
public record Facts(
        Map<String, Event> committed,
        List<Effect> effects,
        Map<String, Long> seen,
        Map<String, Long> receipts,
        List<BulkOperation> operations) {
    /** The handler that the next version adds: it gets what that version publishes, and perhaps more. */
    public static final String AUDITOR = "Auditor";

    /**
     * @param version of the application that published it
     * @param dueAt no handler may be called before
     */
    public record Event(
            String id,
            String account,
            long number,
            String fault,
            String type,
            int version,
            long writtenAt,
            long dueAt) {

        /** Of the first version. */
        Event(String id, String account, long number, String fault, long writtenAt, long dueAt) {
            this(id, account, number, fault, "deposited", 1, writtenAt, dueAt);
        }

        /** The beans that have to handle it, each once or, outside a transaction, at least once. */
        public List<String> handlers() {
            if (isReminder()) {
                return List.of("Bell");
            }
            return version > 1 ? List.of("Ledger", "Courier", AUDITOR) : List.of("Ledger", "Courier");
        }

        /** Whether nodes of the first version have to leave it to others. */
        public boolean isOnlyForNextVersion() {
            return type.equals("transferred");
        }

        public boolean isReminder() {
            return account.isEmpty();
        }

        /** Whether it causes dead letters of the outside handler. */
        public boolean isPoison() {
            return fault.equals("POISON") || isCondemned();
        }

        public boolean isCondemned() {
            return fault.equals("CONDEMNED");
        }
    }

    public record Effect(String id, String account, long number) {}

    /** @param id of the event, taken from its payload */
    public record Letter(String id, String handler, String error) {
        /** The relay's words, as all of these. */
        static final String NO_OUTCOME = "attempts ended without an outcome";

        static final String NODE_DIED = "its node died";

        private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"([^\"]+)\"");

        public static Letter of(String payload, String handler, String error) {
            return new Letter(idIn(payload), handler, error);
        }

        static String idIn(String payload) {
            Matcher id = ID.matcher(payload);
            return id.find() ? id.group(1) : "?";
        }

        /**
         * It was running when nodes died, several times: the relay assumes that it killed them, and its error says so.
         */
        public boolean blamesCrashes() {
            return error.contains(NODE_DIED);
        }

        public boolean saysThatItsLastAttemptDidNotEnd() {
            return error.contains(NO_OUTCOME);
        }

        /** The words of PostgreSQL, and of MySQL and MariaDB. */
        public boolean blamesFullDisk() {
            return blamesFullDisk(error);
        }

        public static boolean blamesFullDisk(String error) {
            return error.contains("No space left on device") || error.matches("(?s).*The table '.*' is full.*");
        }

        public boolean isOrdered(Map<String, Event> committed) {
            Event event = committed.get(id);
            return event != null && event.isPoison() && bean().equals("Courier");
        }

        /** The bean in a handler's name, which is bean and method. */
        public String bean() {
            return bean(handler);
        }

        static String bean(String handler) {
            return handler.replaceFirst("\\..*", "");
        }
    }

    public static Facts read(Connection connection) throws SQLException {
        Map<String, Event> committed = new LinkedHashMap<>();
        query(
                connection,
                "SELECT id, account, number, fault, type, app_version, written_at, due_at FROM faults_committed"
                        + " ORDER BY account, number",
                row -> committed.put(
                        row.getString(1),
                        new Event(
                                row.getString(1),
                                row.getString(2),
                                row.getLong(3),
                                row.getString(4),
                                row.getString(5),
                                row.getInt(6),
                                row.getLong(7),
                                row.getLong(8))));
        List<Effect> effects = new ArrayList<>();
        query(
                connection,
                "SELECT id, account, number FROM faults_effect ORDER BY no",
                row -> effects.add(new Effect(row.getString(1), row.getString(2), row.getLong(3))));
        Map<String, Long> seen = new HashMap<>();
        query(connection, "SELECT account, number FROM faults_seen", row -> seen.put(row.getString(1), row.getLong(2)));
        Map<String, Long> receipts = new HashMap<>();
        query(
                connection,
                "SELECT id, COUNT(*) FROM faults_receipt GROUP BY id",
                row -> receipts.put(row.getString(1), row.getLong(2)));
        return new Facts(committed, effects, seen, receipts, BulkOperation.read(connection));
    }

    public static List<Letter> letters(Connection connection) throws SQLException {
        List<Letter> letters = new ArrayList<>();
        query(connection, "SELECT payload, handler, error FROM outbox_dead", row -> {
            letters.add(Letter.of(row.getString(1), row.getString(2), row.getString(3)));
        });
        return letters;
    }

    public static long count(Connection connection, String table) throws SQLException {
        long[] count = new long[1];
        query(connection, "SELECT COUNT(*) FROM " + table, row -> count[0] = row.getLong(1));
        return count[0];
    }

    interface Row {
        void take(ResultSet row) throws SQLException;
    }

    static void query(Connection connection, String sql, Row each) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                each.take(rows);
            }
        }
    }
}
