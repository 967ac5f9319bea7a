package io.outboxed.internal.relay.loop;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.relay.memory.LoadedMessages;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.RelayStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads aggregates with more ready messages than a lane takes from a window. Windows skip such a lane until a page by
 * (lane, seq) has brought in everything that is left. What is committed after that comes with windows again, so it is
 * queued behind.
 */
final class LongLaneReader {
    /** The limit, because each long lane makes the statement of every read longer. Further ones are parked. */
    private static final int MAX_IN_A_SHARD = 16;

    private static final int LEAST_PAGE = 32;
    private static final int LARGEST_PAGE = 128;

    private final RelayStore store;
    private final LoopState state;
    private final int room;
    /** The lane that was served last is at the end. */
    private final Set<Lane> lanes = new LinkedHashSet<>();

    LongLaneReader(RelayStore store, LoopState state, int maxInMemory) {
        this.store = store;
        this.state = state;
        this.room = Math.max(1, maxInMemory / 2);
    }

    /** @return false if the shard already has too many */
    boolean add(Lane lane) {
        boolean hasRoom = hasRoom(lane.shard);
        if (hasRoom) {
            state.lanes().becomesLong(lane);
            lanes.add(lane);
        }
        return hasRoom;
    }

    boolean hasRoom(int shard) {
        return lanes.stream().filter(each -> each.shard == shard).count() < MAX_IN_A_SHARD;
    }

    /**
     * A call of this lane may never end: the messages behind it leave memory, and are read by lane once the call has
     * ended.
     */
    void shed(Lane lane) {
        state.lanes().shedWaiting(lane);
        if (!lane.parked && !lane.isLong && !add(lane)) {
            return;
        }
        List<MessageHead> ready = state.lanes().shedQueue(lane).stream()
                .filter(head -> head.status() == MessageState.READY)
                .toList();
        if (lane.parked && !ready.isEmpty()) {
            // otherwise they would come with a window again, perhaps as rows that were committed late
            state.park(lane, ready);
        }
    }

    /** For how many more long lanes there is room in memory, besides those that wait for their next page. */
    int spare() {
        forgetDropped();
        long waiting = lanes.stream().filter(this::mayBeRead).count();
        return (int) (pages(left(), LEAST_PAGE) - waiting);
    }

    /** How many pages there is room for; the last one may exceed it. */
    private static int pages(int left, int page) {
        return left <= 0 ? 0 : Math.max(1, left / page);
    }

    /** Whether a lane waits for its next page because the pages of others have all of the room. */
    boolean lacksRoom() {
        forgetDropped();
        return left() <= 0 && lanes.stream().anyMatch(this::mayBeRead);
    }

    private int left() {
        return room - state.lanes().count(LoadedMessages.Source.LONG_LANE);
    }

    /** Those that were dropped from memory are read anew, as others are. */
    void forgetDropped() {
        lanes.removeIf(lane -> state.lanes().get(lane.key) != lane);
    }

    private boolean mayBeRead(Lane lane) {
        return lane.queue.isEmpty()
                && state.lanes().mayBringIn(lane.key)
                && !state.isSuspended(state.shards().get(lane.shard));
    }

    /** The keys of the long lanes, by shard. */
    Map<Integer, List<Long>> byShard() {
        Map<Integer, List<Long>> keys = new HashMap<>();
        lanes.forEach(lane ->
                keys.computeIfAbsent(lane.shard, shard -> new ArrayList<>()).add(lane.key));
        return keys;
    }

    /**
     * Reads the next page for lanes that have completed the previous one, as far as there is room.
     *
     * @param othersWait windows have more to read, so a long lane gets a shorter page
     */
    void readNext(boolean othersWait) {
        forgetDropped();
        int left = left();
        if (lanes.isEmpty() || left <= 0) {
            return;
        }
        int page = othersWait ? LEAST_PAGE : Math.max(LEAST_PAGE, Math.min(LARGEST_PAGE, room / lanes.size()));
        Map<Long, Lane> next = new LinkedHashMap<>();
        lanes.stream().filter(this::mayBeRead).limit(pages(left, page)).forEach(lane -> next.put(lane.key, lane));
        Map<Long, List<MessageHead>> pages =
                store.reads().lanes(next.keySet(), page).stream().collect(Collectors.groupingBy(MessageHead::lane));
        next.forEach((key, lane) -> bringIn(lane, pages.getOrDefault(key, List.of()), page));
    }

    private void bringIn(Lane lane, List<MessageHead> rows, int page) {
        lanes.remove(lane);
        lane.isLong = rows.size() == page;
        if (lane.isLong) {
            lanes.add(lane);
        }
        state.lanes().appendPage(lane, rows);
    }
}
