package io.outboxed.internal.testkit.standalone;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;

/** The database as it was after the start. */
final class Snapshot {
    private final DataSource dataSource;
    private final String file;

    Snapshot(DataSource dataSource, String name) {
        this.dataSource = dataSource;
        this.file = "'memFS:" + name + ".sql'";
    }

    void take() {
        execute(statement -> statement.execute("SCRIPT TO " + file));
    }

    void restore() {
        execute(statement -> {
            Map<String, Long> sequences = sequences(statement);
            statement.execute("DROP ALL OBJECTS");
            statement.execute("RUNSCRIPT FROM " + file);
            for (Map.Entry<String, Long> sequence : sequences.entrySet()) {
                statement.execute(
                        "ALTER SEQUENCE IF EXISTS " + sequence.getKey() + " RESTART WITH " + sequence.getValue());
            }
        });
    }

    void forget() {
        execute(statement -> statement.execute("SHUTDOWN"));
    }

    /** Hibernate has taken numbers in advance and would meet them again. */
    private static Map<String, Long> sequences(Statement statement) throws SQLException {
        Map<String, Long> values = new LinkedHashMap<>();
        try (ResultSet rows =
                statement.executeQuery("SELECT '\"' || SEQUENCE_SCHEMA || '\".\"' || SEQUENCE_NAME || '\"',"
                        + " BASE_VALUE FROM INFORMATION_SCHEMA.SEQUENCES")) {
            while (rows.next()) {
                values.put(rows.getString(1), rows.getLong(2));
            }
        }
        return values;
    }

    private interface Work {
        void on(Statement statement) throws SQLException;
    }

    private void execute(Work work) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            work.on(statement);
        } catch (SQLException e) {
            throw new IllegalStateException("the test's database could not be reset", e);
        }
    }
}
