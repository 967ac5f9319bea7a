package io.outboxed.internal.store.sql;

import io.outboxed.internal.database.Dialect;
import java.util.Optional;

/** Rows of messages. */
public final class MessageSql extends StoreSql {
    private static final String HISTORY = "INSERT INTO outbox_history (id, seq, shard, lane, delay_micros, " + CONTENT
            + ", processed_at) SELECT m.id, m.seq, m.shard, m.lane, m.delay_micros, " + CONTENT_OF_M + ", :now FROM ";

    public MessageSql(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    public final String claimMessage =
            of("UPDATE outbox_message SET version = version + 1 WHERE seq = ? AND id = ? AND version = ?");
    /** A success that leaves the message: it has not killed its node. */
    public final String answerMessage =
            of("UPDATE outbox_message SET version = version + 1, starts = 0 WHERE seq = ? AND id = ? AND version = ?");

    public final String deleteClaimed = of("DELETE FROM outbox_message WHERE seq = ? AND id = ? AND version = ?");
    private final String message = "SELECT m.status FROM outbox_message m WHERE m.seq = ? AND m.id = ?";
    public final String lockMessage = dialect().asOfNow() + of(message + " FOR UPDATE");
    public final String lockFreeMessage = of(message + " FOR UPDATE SKIP LOCKED");
    public final String deleteMessage = of("DELETE FROM outbox_message WHERE seq = ? AND id = ?");
    public final String splitMessage =
            of("UPDATE outbox_message SET status = 3, starts = 0, version = version + 1 WHERE seq = ? AND id = ?");
    /** The version stays: the message may be running again when this is written. */
    public final String updateStarts =
            of("UPDATE outbox_message SET starts = ? WHERE seq = ? AND id = ? AND starts = ?");

    public final String keepMessage = of(HISTORY + "outbox_message m WHERE m.seq = ? AND m.id = ?"
            + dialect().ignoreDuplicate("seq"));

    // ---- many rows: MessageKeys replaces :keys. Never an IN list, which MySQL turns into a scan that waits for
    // inserts of others; nor JSON_TABLE, which MySQL 8.0.12 allows only to users with privileges on everything ----

    public final String lockFreeRows = of(lockFree());
    public final String hasRows = of("SELECT m.seq FROM " + joinRows());
    public final String deleteRows = of(deleteRows());
    /** Not available as one statement on every database. */
    public final Optional<String> deleteUntouchedRows = deleteUntouchedRows().map(this::of);

    public final String touchRows = of(updateRows("version = m.version + 1"));
    public final String answeredRows = of(updateRows("version = m.version + 1, starts = 0"));
    public final String splitRows = of(updateRows("version = m.version + 1, status = 3, starts = 0"));
    public final String parkRows = of(updateRows("version = m.version + 1, status = 2"));
    public final String startRows = of(updateRows("version = m.version + 1, starts = m.starts + 1"));
    public final String keepRows = of(HISTORY + joinRows() + dialect().ignoreDuplicate("seq"));

    private String lockFree() {
        String rows = "SELECT m.seq, m.id, m.status, m.version, :created + m.delay_micros AS due_at,"
                + " CASE WHEN :created + m.delay_micros > :now THEN 1 ELSE 0 END AS delayed_now FROM " + joinRows();
        return switch (dialect()) {
            case MYSQL -> rows + " FOR UPDATE OF m SKIP LOCKED";
            case POSTGRESQL -> rows + " ORDER BY m.seq FOR UPDATE OF m SKIP LOCKED";
            case MARIADB, H2 -> rows + " FOR UPDATE SKIP LOCKED";
        };
    }

    private String deleteRows() {
        return switch (dialect()) {
            case MYSQL, MARIADB -> "DELETE m FROM " + joinRows();
            case POSTGRESQL, H2 -> "DELETE FROM " + joinRows();
        };
    }

    /**
     * PostgreSQL records in xmax which transaction has or had locked a row, so rows need not be locked before they are
     * deleted; a transaction that comes in between is waited for. The sum keeps it from using the index of ready rows.
     */
    private Optional<String> deleteUntouchedRows() {
        return switch (dialect()) {
            case MYSQL ->
                Optional.of("DELETE m FROM (SELECT m.seq FROM " + joinRows() + " AND m.status = 0 AND m.version = 0"
                        + " FOR UPDATE OF m SKIP LOCKED) f STRAIGHT_JOIN outbox_message m ON m.seq = f.seq");
            case POSTGRESQL -> Optional.of(deleteRows() + " AND m.xmax = 0 AND m.status + 0 = 0 AND m.version = 0");
            case MARIADB, H2 -> Optional.empty();
        };
    }

    private String updateRows(String set) {
        return switch (dialect()) {
            case MYSQL, MARIADB ->
                "UPDATE (:keys) k STRAIGHT_JOIN outbox_message m ON m.seq = k.seq AND m.id = k.id SET " + set;
            case POSTGRESQL, H2 -> "UPDATE outbox_message m SET " + set + " WHERE " + namedRows();
        };
    }

    /** The rows named by {@code MessageKeys} as alias m, ending in a condition. */
    private String joinRows() {
        return switch (dialect()) {
            case MYSQL, MARIADB ->
                "(:keys) k STRAIGHT_JOIN outbox_message m ON m.seq = k.seq AND m.id = k.id WHERE m.seq = k.seq";
            case POSTGRESQL, H2 -> "outbox_message m WHERE " + namedRows();
        };
    }

    /** If an order is requested, PostgreSQL joins the list to the whole table; IS TRUE makes it use the primary key. */
    private String namedRows() {
        return dialect() == Dialect.POSTGRESQL
                ? "m.seq = ANY (?) AND (m.id = ANY (?)) IS TRUE"
                : "m.seq = ? AND m.id = ?";
    }
}
