package io.outboxed.internal.store.sql;

import io.outboxed.internal.database.Dialect;

/** What is checked at the start. */
public final class ProbeSql extends StoreSql {
    public ProbeSql(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    public final String meta = of("SELECT setting FROM outbox_meta WHERE name = ?");
    public final String countShards =
            of("SELECT COUNT(*) AS shards, MIN(shard) AS lowest, MAX(shard) AS highest FROM outbox_shard");
    public final String countSlots = of("SELECT COUNT(*) AS slots FROM outbox_lock WHERE slot >= 0 AND slot < ?");
    public final String probe = of("SELECT setting FROM outbox_meta WHERE name = 'probe' FOR UPDATE");
    public final String probeFree = of("SELECT setting FROM outbox_meta WHERE name = 'probe' FOR UPDATE SKIP LOCKED");

    public final String writeProbe = of("INSERT INTO outbox_meta (name, setting) VALUES (?, 0)");
    public final String clearProbe = of("DELETE FROM outbox_meta WHERE name = ?");

    public final String numberCache = "SELECT s.seqcache FROM pg_sequence s"
            + " WHERE s.seqrelid = CAST(pg_get_serial_sequence(?, 'seq') AS regclass)";

    /**
     * MySQL: the bytes of one text as the tables store them, and another as it is read. Converted, because HEX alone
     * shows the bytes in the character set of the session, whose name may be wrong.
     */
    public final String echo = "SELECT HEX(CONVERT(? USING utf8mb4)) AS kept, CONVERT(? USING utf8mb4) AS answer";

    public final String serverEncoding = "SHOW server_encoding";

    public String numberStep(String scope) {
        return "SELECT @@" + scope + ".auto_increment_increment AS step";
    }
}
