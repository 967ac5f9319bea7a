package io.outboxed.internal.store.jdbc.locks;

import io.outboxed.OutboxException;
import io.outboxed.internal.database.Chunks;
import io.outboxed.internal.database.Connections;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.Jdbc;
import io.outboxed.internal.store.cluster.ClaimStrategy;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.LeaseLostException;
import io.outboxed.internal.store.sql.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A row for each lane that a node has in memory. It ends when the node gives it back, or no longer counts as alive: a
 * connection that is lost changes nothing. Thread-safe.
 */
public final class ClaimRows implements LaneRights {
    private static final int LANES_IN_A_STATEMENT = 200;

    private final Connections connections;
    private final Sql sql;

    private volatile String owner;

    public ClaimRows(Connections connections, Sql sql) {
        this.connections = connections;
        this.sql = sql;
    }

    public static void requireSupport(Dialect dialect) {
        if (dialect == Dialect.H2) {
            throw new OutboxException(
                    "OUTBOX-0314",
                    "outbox.relay.claim=row-lock can't be used with this H2 database: H2 has no INSERT that leaves existing"
                            + " rows alone while others insert them. Nothing was changed. Remove the setting, or use"
                            + " MySQL, MariaDB or PostgreSQL.");
        }
    }

    private record Claim(long lane, String owner) {}

    @Override
    public ClaimStrategy kind() {
        return ClaimStrategy.ROW_LOCK;
    }

    @Override
    public String owner() {
        return owner;
    }

    @Override
    public void open(String newOwner) {
        owner = newOwner;
    }

    @Override
    public boolean isOpen(String ofOwner) {
        return ofOwner.equals(owner);
    }

    /** Its rows remain until its name no longer counts as alive, because calls may still run. */
    @Override
    public void abandon() {
        owner = null;
    }

    @Override
    public void close() {
        abandon();
    }

    /**
     * Each statement is a transaction of its own: a row with this node's name is its right, however the others ended.
     * All nodes insert in the same order, so that they do not lock each other out.
     */
    @Override
    public Set<Long> tryLock(Collection<Long> lanes) {
        String me = owner;
        Set<Long> locked = new HashSet<>();
        if (me == null) {
            return locked;
        }
        for (List<Long> part : parts(lanes)) {
            List<Long> free = withoutLocked(part);
            if (!free.isEmpty()) {
                connections.autoCommit(jdbc -> jdbc.update(sql.claims.addClaims(free.size()), lanesAndOwner(free, me)));
                locked.addAll(connections.autoCommit(jdbc ->
                        jdbc.list(sql.claims.held(free.size()), row -> row.getLong("lane"), ownerAndLanes(me, free))));
            }
        }
        return locked;
    }

    /** To insert a claim that another node is deleting, and that node is perhaps frozen, would wait for it. */
    private List<Long> withoutLocked(List<Long> lanes) {
        List<Claim> abandoned = connections.autoCommit(
                jdbc -> jdbc.list(sql.claims.abandonedClaims(lanes.size()), ClaimRows::claim, lanes.toArray()));
        Set<Long> locked = abandoned.stream().map(Claim::lane).collect(Collectors.toSet());
        locked.removeAll(delete(abandoned));
        return lanes.stream().filter(lane -> !locked.contains(lane)).toList();
    }

    /**
     * Except those that a decision of their node has locked: if it is frozen, they stay so until its session ends.
     *
     * @return the lanes of those that are deleted
     */
    private Set<Long> delete(List<Claim> abandoned) {
        Set<Long> deleted = new HashSet<>();
        Map<String, List<Long>> lanesOf = abandoned.stream()
                .collect(Collectors.groupingBy(Claim::owner, Collectors.mapping(Claim::lane, Collectors.toList())));
        lanesOf.forEach((dead, lanes) -> deleted.addAll(connections.transaction(jdbc -> {
            List<Long> free = jdbc.list(
                    sql.claims.lockFreeClaims(lanes.size()), row -> row.getLong("lane"), ownerAndLanes(dead, lanes));
            for (long lane : free) {
                // by its key: for a list, MySQL may scan the table, and wait for the rows that were skipped
                jdbc.update(sql.claims.deleteClaim, lane, dead);
            }
            return free;
        })));
        return deleted;
    }

    @Override
    public void unlock(Collection<Long> lanes) {
        String me = owner;
        if (me != null) {
            for (List<Long> part : parts(lanes)) {
                connections.autoCommit(
                        jdbc -> jdbc.update(sql.claims.deleteClaims(part.size()), ownerAndLanes(me, part)));
            }
        }
    }

    /** Only those that are dead: what a living node has claimed can't be claimed by this one. */
    @Override
    public List<Peer> peers() {
        return connections.autoCommit(
                jdbc -> jdbc.list(sql.claims.deadNodes, row -> new Peer(row.getString("owner"), true), owner));
    }

    @Override
    public Set<String> present(Collection<String> owners) {
        return Set.of();
    }

    @Override
    public boolean leads() {
        boolean leads = connections
                .autoCommit(jdbc -> jdbc.first(sql.claims.firstNode, row -> row.getString("owner")))
                .filter(first -> first.equals(owner))
                .isPresent();
        if (leads) {
            deleteAbandoned();
        }
        return leads;
    }

    /** Read first, and without locks: a DELETE with a subquery would wait for heartbeats, and they for it. */
    private void deleteAbandoned() {
        delete(connections.autoCommit(
                jdbc -> jdbc.list(sql.claims.someAbandonedClaims(LANES_IN_A_STATEMENT), ClaimRows::claim)));
    }

    private static Claim claim(ResultSet row) throws SQLException {
        return new Claim(row.getLong("lane"), row.getString("owner"));
    }

    /** A node that takes over a lane changes its row, and waits until the decision has been committed. */
    @Override
    public <T> T decide(Map<Lease, List<Long>> lanes, Connections.Work<T> work) {
        return connections.transaction(jdbc -> {
            Fence.lock(jdbc, lanes.keySet(), kind()::stored, sql.nodes::shareFreeShards, sql.nodes::someShards);
            for (var each : lanes.entrySet()) {
                requireClaims(jdbc, each.getKey(), new TreeSet<>(each.getValue()));
            }
            return work.run(jdbc);
        });
    }

    private void requireClaims(Jdbc jdbc, Lease lease, Set<Long> lanes) throws SQLException {
        for (List<Long> part : parts(lanes)) {
            int held = jdbc.list(
                            sql.claims.shareClaims(part.size()),
                            row -> row.getLong("lane"),
                            ownerAndLanes(lease.owner(), part))
                    .size();
            if (held < part.size()) {
                // a row that disappears while its node lives would otherwise cost the node this shard for ever
                if (lease.owner().equals(owner)) {
                    abandon();
                }
                throw new LeaseLostException(lease);
            }
        }
    }

    private static List<List<Long>> parts(Collection<Long> lanes) {
        return Chunks.of(lanes.stream().distinct().sorted().toList(), LANES_IN_A_STATEMENT);
    }

    private static Object[] ownerAndLanes(String owner, List<Long> lanes) {
        List<Object> parameters = new ArrayList<>(List.of(owner));
        parameters.addAll(lanes);
        return parameters.toArray();
    }

    private static Object[] lanesAndOwner(List<Long> lanes, String owner) {
        List<Object> parameters = new ArrayList<>();
        lanes.forEach(lane -> parameters.addAll(List.of(lane, owner)));
        return parameters.toArray();
    }
}
