package io.outboxed.internal.store;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** What a relay reads: one statement each, auto-commit, READ COMMITTED. */
public interface MessageReads {

    /** READY rows of the windows, ordered by seq. One statement, so one snapshot. */
    List<MessageHead> ready(Collection<ReadWindow> windows);

    /** As {@link #ready}, faster if few rows are found in many shards. */
    List<MessageHead> sweep(Collection<ReadWindow> windows);

    /**
     * READY and PARKED rows of lanes, ordered by seq. One statement, so one snapshot.
     *
     * @param limit per lane
     */
    List<MessageHead> lanes(Collection<Long> lanes, int limit);

    /** READY and PARKED rows of one lane, ordered by seq. */
    default List<MessageHead> lane(long lane, int limit) {
        return lanes(List.of(lane), limit);
    }

    /**
     * Waiting delivery rows of one lane and group that may be called now, ordered by seq and handler. None while the
     * lane row is not due. A row of a later message is included only if all rows of the group before it are: the page
     * ends with the message of the first row that is not due or is blocked.
     */
    List<WaitingDelivery> waiting(long lane, String group, int limit);

    /** What the last try of this delivery failed with, or why it waits; empty if its row is gone. */
    Optional<String> lastError(MessageHead message, String handler);

    /** Messages of a lane above a number that wait for the first handler of their type, ordered by seq, due or not. */
    List<MessageHead> unadopted(long lane, long above, int limit);

    /** Lane rows of these shards that are due now, the earliest first, except those of some handler groups. */
    List<LaneWait> due(Collection<Integer> shards, int limit, Collection<String> withoutGroups);

    /** All lane rows of these lanes that are due now. Of up to 500 lanes, the earliest first. */
    List<LaneWait> dueOf(Collection<Long> lanes);

    /** What waits in these lanes: the groups of their lane rows, by lane. */
    Map<Long, Set<String>> waits(Collection<Long> lanes);

    /** Which of these shards have any lane row. */
    Set<Integer> waitingShards(Collection<Integer> shards);

    /** Handlers with a done row, by message; for rows whose version is not 0. */
    Map<UUID, Set<String>> done(Collection<UUID> messages);

    /** The bodies of these rows, if the rows still exist. */
    List<MessageBody> bodies(Collection<Long> seqs);

    /** As {@link #bodies}, without payloads. */
    List<MessageBody> bodiesWithoutPayload(Collection<Long> seqs);

    /**
     * Those of these messages whose rows exist, are not locked by another transaction, and whose delays have passed: they
     * can no longer be cancelled. Locks the rows for the statement only.
     */
    Set<UUID> startable(Collection<MessageHead> delayed);

    /** The highest visible seq; 0 if there is none. */
    long highest();
}
