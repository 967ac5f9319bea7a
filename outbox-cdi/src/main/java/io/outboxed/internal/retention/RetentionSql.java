package io.outboxed.internal.retention;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.SqlText;
import io.outboxed.internal.store.sql.Sql;

/**
 * The statements of the cleanup. Separate from {@link Sql}, because the relay needs none of them. Each of them follows
 * the index on the column that holds the row's time.
 */
final class RetentionSql extends SqlText {

    RetentionSql(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    /**
     * The time of the row that ends a batch; the parameters are from, until and the number of rows before it. Ordered by
     * the time alone: in a partitioned table, MariaDB would sort all old rows to order them by the key too.
     */
    String boundary(AgedTable table) {
        return of("SELECT " + table.time() + " AS found FROM outbox_" + table.suffix() + " WHERE " + table.time()
                + " >= ? AND " + table.time() + " < ?" + table.condition() + " ORDER BY " + table.time()
                + " LIMIT 1 OFFSET ?");
    }

    /**
     * The parameters are {@link #deleted}. Every replica of MySQL deletes the same rows, because the order is complete.
     * PostgreSQL may execute a subquery several times, and would then lock and delete more rows than the limit; it
     * computes a materialized one once.
     */
    String delete(AgedTable table) {
        String name = "outbox_" + table.suffix();
        String range = table.time() + " >= ? AND " + table.time() + " <= ?";
        String old = " FROM " + name + " WHERE " + range + table.condition();
        return of(
                switch (dialect()) {
                    case MYSQL, MARIADB -> "DELETE" + old + order(table) + " LIMIT ?";
                    case POSTGRESQL -> {
                        String keys = table.otherKeys() + ", " + table.time();
                        yield "WITH old AS MATERIALIZED (SELECT " + keys + old + order(table)
                                + " LIMIT ? FOR UPDATE SKIP LOCKED) DELETE FROM " + name + " WHERE (" + keys
                                + ") IN (SELECT " + keys + " FROM old) AND " + range;
                    }
                    case H2 -> "DELETE" + old + " FETCH FIRST ? ROWS ONLY";
                });
    }

    /** The parameters of {@link #delete}. PostgreSQL locks every partition that the outer range does not exclude. */
    Object[] deleted(long first, long last, int most) {
        return dialect() == Dialect.POSTGRESQL
                ? new Object[] {first, last, most, first, last}
                : new Object[] {first, last, most};
    }

    /** The parameters are the time and the number of rows at most. */
    String count(AgedTable table) {
        return count("outbox_" + table.suffix() + " WHERE " + table.time() + " < ?" + table.condition());
    }

    /** InnoDB appends the primary key to an index; PostgreSQL would sort by more than the index contains. */
    private String order(AgedTable table) {
        return " ORDER BY " + table.time() + (dialect().isMySqlFamily() ? ", " + table.otherKeys() : "");
    }

    // ---- retired handlers ----

    /** No index leads to the deliveries of a handler: they are read only if they are few. The parameter is how many. */
    final String manyDeliveries = of("SELECT 1 AS one FROM outbox_delivery LIMIT 1 OFFSET ?");

    final String unusedHandlers = of("SELECT h.type, h.handler FROM outbox_handler h WHERE h.retired = 1 AND NOT EXISTS"
            + " (SELECT 1 FROM outbox_delivery d WHERE d.handler = h.handler AND d.state <> 1)"
            + " ORDER BY h.type, h.handler");
    final String waitingOf = of("SELECT 1 AS one FROM outbox_delivery WHERE handler = ? AND state <> 1 LIMIT 1");
    final String deleteHandler = of("DELETE FROM outbox_handler WHERE type = ? AND handler = ? AND retired = 1");
}
