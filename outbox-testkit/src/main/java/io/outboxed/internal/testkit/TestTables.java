package io.outboxed.internal.testkit;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.LaneWait;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.sql.DataSource;

/** The tables of the outbox, as a test reads and moves them. To be called without a transaction. */
@ApplicationScoped
public class TestTables {
    private static final String DATA_SOURCE = "java:app/jdbc/outbox";

    @Inject
    OutboxConfig config;

    private volatile TestSql sql;

    /** The payload of an event, either as text or as bytes. */
    @SuppressWarnings("ArrayRecordComponent")
    record Stored(UUID id, String text, byte[] bytes) {}

    private interface Question<T> {
        T ask(Jdbc jdbc, TestSql sql) throws SQLException;
    }

    /** In the order of their storage; each event once, also if it was replayed. */
    List<Stored> published(String type) {
        List<Stored> found = ask((jdbc, texts) -> jdbc.list(
                texts.published,
                row -> new Stored(jdbc.uuid(row, "id"), row.getString("payload"), row.getBytes("payload_binary")),
                type,
                type,
                type));
        Map<UUID, Stored> once = new LinkedHashMap<>();
        found.forEach(stored -> once.putIfAbsent(stored.id(), stored));
        return List.copyOf(once.values());
    }

    public boolean isAnyDue() {
        return ask((jdbc, texts) -> !jdbc.exists(texts.allPaused) && jdbc.exists(texts.due));
    }

    boolean isPending(UUID id) {
        return ask((jdbc, texts) -> jdbc.exists(texts.pending, id));
    }

    /** Only known if finished messages are kept. */
    boolean hasEnded(UUID id) {
        return !config.retention().keepHistory() || ask((jdbc, texts) -> jdbc.exists(texts.ended, id, id));
    }

    /** What has not ended, a line for each event and handler. */
    public String left() {
        List<String> lines = ask((jdbc, texts) -> jdbc.list(texts.left, row -> left(jdbc, row)));
        return lines.isEmpty() ? "  nothing" : lines.stream().collect(Collectors.joining("\n"));
    }

    /** A line for each dead letter, the same in each run of a scenario. */
    public List<String> deadLetters() {
        return ask((jdbc, texts) -> jdbc.list(texts.deadLetters, TestTables::delivery));
    }

    /** A line for each delivery that has not ended, the same in each run of a scenario. */
    public List<String> undelivered() {
        return ask((jdbc, texts) -> jdbc.list(texts.left, TestTables::delivery)).stream()
                .sorted()
                .toList();
    }

    private static String delivery(ResultSet row) throws SQLException {
        String handler = row.getString("handler");
        String aggregate = row.getString("aggregate_id");
        return (handler == null ? "every handler" : handler) + " of " + row.getString("type")
                + (aggregate == null || aggregate.isEmpty() ? "" : " of " + aggregate);
    }

    /** Whether an event waits for an application that has a handler of its type. */
    public boolean isAnyWithoutHandler() {
        return ask((jdbc, texts) -> jdbc.list(texts.left, row -> row.getString("handler")))
                .contains(LaneWait.NO_HANDLER);
    }

    /** How long until the next retry or delayed event is due; empty if nothing waits for its time. */
    public Optional<Duration> untilDue() {
        return ask((jdbc, texts) ->
                        jdbc.first(texts.untilDue, row -> row.getObject("gap") == null ? -1L : row.getLong("gap")))
                .filter(micros -> micros >= 0)
                .map(micros -> Duration.of(micros, ChronoUnit.MICROS));
    }

    /** Whether an aggregate waits for the resume of something, which may have been resumed already. */
    public boolean isAnyPaused() {
        return ask((jdbc, texts) -> jdbc.exists(texts.paused));
    }

    public void advance(Duration time) {
        long micros = time.toNanos() / 1000;
        ask((jdbc, texts) -> jdbc.update(texts.advanceDelays, micros, micros)
                + jdbc.update(texts.advanceDeliveries, micros)
                + jdbc.update(texts.advanceLanes, micros));
    }

    private static String left(Jdbc jdbc, ResultSet row) throws SQLException {
        String aggregate = row.getString("aggregate_id");
        String event = "  " + row.getString("type") + " " + jdbc.uuid(row, "id")
                + (aggregate == null ? "" : " of " + aggregate) + ": ";
        String handler = row.getString("handler");
        if (handler == null) {
            long startsIn = row.getLong("starts_in");
            return event + (startsIn > 0 ? "delayed, due in " + shown(startsIn) : "ready");
        }
        if (handler.equals(LaneWait.NO_HANDLER)) {
            return event + "waits for a handler of its type";
        }
        String tries = handler + " after " + row.getInt("attempts") + " attempts, ";
        long dueIn = row.getLong("due_in");
        String when = row.getInt("state") == 2 ? "blocked" : dueIn > 0 ? "due in " + shown(dueIn) : "due";
        String error = row.getString("last_error");
        return event + tries + when + (error == null ? "" : "; last error: " + error);
    }

    private static Duration shown(long micros) {
        return Duration.ofMillis(Math.max(1, micros / 1000));
    }

    private <T> T ask(Question<T> question) {
        try (Connection connection = dataSource().getConnection()) {
            if (sql == null) {
                sql = new TestSql(
                        Dialect.from(connection.getMetaData()),
                        config.database().tablePrefix());
            }
            return question.ask(new Jdbc(connection, sql.dialect()), sql);
        } catch (SQLException e) {
            throw new IllegalStateException("the test kit could not read or change the outbox's tables", e);
        }
    }

    private static DataSource dataSource() {
        try {
            return (DataSource) new InitialContext().lookup(DATA_SOURCE);
        } catch (NamingException e) {
            throw new IllegalStateException("there is no data source " + DATA_SOURCE, e);
        }
    }
}
