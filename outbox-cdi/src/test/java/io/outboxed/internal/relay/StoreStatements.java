package io.outboxed.internal.relay;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.cluster.Lease;
import io.outboxed.internal.store.cluster.ShardLockedException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a relay asks its store, and which of it fails. */
final class StoreStatements implements ObservedStore.Observer {
    /** The next statement of this name fails, as if the connection were cut. */
    String cut = "";
    /** While set: statements of this name find the row of their shard locked. */
    String locked = "";
    /** While set: statements of this name find a message's row locked. */
    String held = "";
    /** The answer of the next statement of this name is lost. */
    String unanswered = "";
    /** Of connections, whoever has met them. */
    private long losses;
    /** How many decisions were stored. */
    int written;
    /** How many pages of waiting deliveries were queried. */
    int pagesOfWaiting;
    /** How long it takes the database to find what is due. */
    Duration dueTakes = Duration.ZERO;
    /** How many lanes each read of what is due has asked for. */
    final List<Integer> dueLimits = new ArrayList<>();

    private final String me;
    private final Consumer<Duration> passes;

    /**
     * @param me the node
     * @param passes lets time pass
     */
    StoreStatements(String me, Consumer<Duration> passes) {
        this.me = me;
        this.passes = passes;
    }

    @Override
    public void before(String call) {
        if (call.equals("waiting")) {
            pagesOfWaiting++;
        }
        if (call.equals(cut)) {
            cut = "";
            losses++;
            throw new StoreException("the connection was cut: " + call, true, new SQLException("cut", "08006"));
        }
        if (call.equals(locked)) {
            throw new ShardLockedException(new Lease(7, me, 1));
        }
        if (call.equals(held)) {
            throw new StoreException("a row is locked", true, new SQLException("locked", "55P03"));
        }
    }

    @Override
    public long losses() {
        return losses;
    }

    @Override
    public void after(String call, Object[] arguments, Object result) {
        if (call.equals("due")) {
            passes.accept(dueTakes);
            dueLimits.add((Integer) arguments[1]);
        }
        if (call.equals("write")) {
            written += ((Map<?, ?>) arguments[0])
                    .values().stream().mapToInt(each -> ((List<?>) each).size()).sum();
        }
        if (call.equals(unanswered)) {
            unanswered = "";
            throw new StoreException("the answer was lost: " + call, true, null);
        }
    }
}
