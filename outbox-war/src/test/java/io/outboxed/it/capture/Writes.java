package io.outboxed.it.capture;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The database's own record of what is written to the outbox and to the business tables, in order: triggers write it in
 * the same transaction. It has no room for names longer than {@link #LONGEST_NAME}, so a row with a longer one is
 * refused.
 */
record Writes(Tables tables) implements AutoCloseable {
    static final int LONGEST_NAME = 50;

    static final List<String> SCRIPTS = Stream.of("h2", "mysql", "postgresql")
            .flatMap(product -> Stream.of("writes-" + product + ".sql", "unwrites-" + product + ".sql"))
            .toList();

    /** @param session the database's session, that is, the physical connection */
    record Write(String kind, long session) {}

    static Writes watched(Tables tables) throws SQLException {
        Writes writes = new Writes(tables);
        writes.run("unwrites");
        writes.run("writes");
        return writes;
    }

    List<Write> committed() throws SQLException {
        try (Connection connection = tables.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select kind, session_id from it_write order by id")) {
            List<Write> found = new ArrayList<>();
            while (rows.next()) {
                found.add(new Write(rows.getString(1), rows.getLong(2)));
            }
            return found;
        }
    }

    void forget() throws SQLException {
        try (Connection connection = tables.connect();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("delete from it_write");
        }
    }

    @Override
    public void close() throws SQLException {
        run("unwrites");
    }

    private void run(String script) throws SQLException {
        try (Connection connection = tables.connect();
                Statement statement = connection.createStatement()) {
            String product = connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
            product = product.equals("mariadb") ? "mysql" : product;
            for (String sql : read(script + "-" + product + ".sql").strip().split("\\n\\n")) {
                statement.execute(sql);
            }
        }
    }

    private static String read(String file) {
        try (InputStream in = Writes.class.getResourceAsStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
