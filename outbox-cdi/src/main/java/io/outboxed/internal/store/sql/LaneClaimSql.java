package io.outboxed.internal.store.sql;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import java.util.Collections;

/** Claims of lanes by rows. */
public final class LaneClaimSql extends StoreSql {
    public LaneClaimSql(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    private static final String ABANDONED_CLAIMS = "SELECT c.lane, c.owner FROM outbox_claim c"
            + " WHERE NOT EXISTS (SELECT 1 FROM outbox_node n WHERE n.owner = c.owner AND n.state = 0)";

    public final String deadNodes = of("SELECT owner FROM outbox_node WHERE owner <> ? AND state = 2");
    public final String firstNode = of("SELECT MIN(owner) AS owner FROM outbox_node WHERE state = 0 AND owner LIKE '"
            + ClaimStrategy.ROW_LOCK.nodePrefix() + "%'");

    /** Claims of nodes that are not alive. A node that is declared dead meanwhile is noticed the next time. */
    public String abandonedClaims(int lanes) {
        return of(ABANDONED_CLAIMS + " AND c.lane IN " + placeholders(lanes));
    }

    public String someAbandonedClaims(int most) {
        return of(ABANDONED_CLAIMS + " LIMIT " + most);
    }

    /** Lane and owner are two parameters for each row. Rows that exist are left alone. */
    public String addClaims(int lanes) {
        String values = String.join(", ", Collections.nCopies(lanes, "(?, ?)"));
        return of(
                dialect() == Dialect.POSTGRESQL
                        ? "INSERT INTO outbox_claim (lane, owner) VALUES " + values + " ON CONFLICT DO NOTHING"
                        : "INSERT IGNORE INTO outbox_claim (lane, owner) VALUES " + values);
    }

    public String held(int lanes) {
        return of("SELECT c.lane FROM " + theseClaims(lanes));
    }

    /** For a list, MySQL would scan a small table, and wait for the locked rows of other nodes. */
    private String theseClaims(int lanes) {
        return "outbox_claim c" + (dialect().isMySqlFamily() ? " FORCE INDEX (PRIMARY)" : "")
                + " WHERE c.owner = ? AND c.lane IN " + placeholders(lanes);
    }

    /** Excludes a node that takes them over. */
    public String shareClaims(int lanes) {
        return held(lanes) + " " + forShare();
    }

    public final String deleteClaim = of("DELETE FROM outbox_claim WHERE lane = ? AND owner = ?");

    public String lockFreeClaims(int lanes) {
        return held(lanes) + " FOR UPDATE SKIP LOCKED";
    }

    public String deleteClaims(int lanes) {
        return of((dialect().isMySqlFamily() ? "DELETE c FROM " : "DELETE FROM ") + theseClaims(lanes));
    }
}
