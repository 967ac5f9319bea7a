package io.outboxed.internal.store.sql;

import io.outboxed.internal.database.Dialect;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Nodes and their shards. */
public final class NodeSql extends StoreSql {
    public NodeSql(Dialect dialect, String prefix) {
        super(dialect, prefix);
    }

    public final String join = of("INSERT INTO outbox_node (owner, label, registry_version, beat, beat_at, state)"
            + " VALUES (?, ?, ?, 0, :now, 0)");
    public final String beat =
            of("UPDATE outbox_node SET beat = beat + 1, beat_at = :now WHERE owner = ? AND state = 0");
    public final String alive = of(
            "SELECT owner, label, registry_version, beat FROM outbox_node WHERE state = 0 ORDER BY registry_version, owner");
    /** It is remembered for a day from now on, so that nodes that join by then learn of it. */
    public final String declareDead =
            of("UPDATE outbox_node SET state = 2, beat_at = :now WHERE owner = ? AND beat = ? AND state = 0");

    public final String leave = of("UPDATE outbox_node SET state = 1 WHERE owner = ? AND state = 0");
    public final String endedNodes =
            of("SELECT owner FROM outbox_node WHERE state <> 0 AND beat_at < :now - 86400000000");
    public final String forgetNode = of("DELETE FROM outbox_node WHERE owner = ? AND state <> 0");

    public final String shards = of("SELECT shard, owner, epoch FROM outbox_shard ORDER BY shard");
    public final String lockShard = of("SELECT owner, epoch FROM outbox_shard WHERE shard = ? FOR UPDATE");
    public final String lockShardIfFree =
            of("SELECT shard, owner, epoch FROM outbox_shard WHERE shard = ? FOR UPDATE SKIP LOCKED");

    public String someShards(List<Integer> shards) {
        return of(someShards(shards, ""));
    }

    /** Finds none in another session. */
    public String someShards(List<Integer> shards, long session) {
        return of(someShards(shards, inSession(session)));
    }

    public String lockFreeShards(List<Integer> shards) {
        return someShards(shards) + skipping("FOR UPDATE");
    }

    /** Excludes operators, who lock the row, but not the other nodes. */
    public String shareFreeShards(List<Integer> shards) {
        return someShards(shards) + skipping(forShare());
    }

    public String shareFreeShards(List<Integer> shards, long session) {
        return someShards(shards, session) + skipping(forShare());
    }

    /** Not an IN list, for which MySQL may scan, and lock the rows of other nodes in passing. */
    private String someShards(List<Integer> shards, String condition) {
        Stream<String> numbers = shards.stream().map(String::valueOf);
        String columns = "SELECT s.shard, s.owner, s.epoch FROM ";
        return switch (dialect()) {
            case MYSQL, MARIADB ->
                columns
                        + numbers.map(number -> "SELECT " + number + " AS shard")
                                .collect(Collectors.joining(" UNION ALL ", "(", ") k"))
                        + " STRAIGHT_JOIN outbox_shard s FORCE INDEX (PRIMARY) ON s.shard = k.shard WHERE s.shard = k.shard"
                        + condition;
            case POSTGRESQL, H2 ->
                columns + "outbox_shard s WHERE s.shard IN " + numbers.collect(Collectors.joining(", ", "(", ")"))
                        + condition;
        };
    }

    private String skipping(String lock) {
        return " " + lock + (dialect() == Dialect.MYSQL ? " OF s" : "") + " SKIP LOCKED";
    }

    private String inSession(long session) {
        return " AND " + sessionId() + " = " + session;
    }

    public final String takeShard = of("UPDATE outbox_shard SET owner = ?, epoch = epoch + 1 WHERE shard = ?");
    public final String passShard =
            of("UPDATE outbox_shard SET owner = ?, epoch = epoch + 1 WHERE shard = ? AND owner = ? AND epoch = ?");
}
