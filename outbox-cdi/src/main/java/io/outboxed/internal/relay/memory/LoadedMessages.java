package io.outboxed.internal.relay.memory;

import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.MessageKey;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** The messages in memory. */
public final class LoadedMessages {
    private final Map<MessageKey, Origin> messages = new HashMap<>();
    private final Map<Source, Integer> bySource = new EnumMap<>(Source.class);
    private final Map<Integer, Integer> fromWindows = new HashMap<>();
    /** How many messages wait, by group and lane. */
    private final Map<String, Map<Long, Integer>> waiting = new HashMap<>();

    /** @param group that waits for it; empty: none */
    private record Origin(Source source, String group) {}

    /**
     * How a message came into memory. Each source has its own room, so that one kind of backlog can't displace the
     * others.
     */
    public enum Source {
        /** In the window of its shard. */
        WINDOW,
        /** Read by lane, from a long backlog. */
        LONG_LANE,
        /** Read by lane, because it waited and is due. */
        WAIT
    }

    public int size() {
        return messages.size();
    }

    public int count(Source source) {
        return bySource.getOrDefault(source, 0);
    }

    public int fromWindow(int shard) {
        return fromWindows.getOrDefault(shard, 0);
    }

    public boolean contains(MessageHead head) {
        return messages.containsKey(head.key());
    }

    /**
     * How many more pages may be read for this group. It has no more messages and lanes in memory than are left for
     * other groups, however many there are: a slow handler must not take all of the room.
     *
     * @param mostLanes of all groups
     * @param mostOwnLanes of this group
     */
    public int roomToWait(String group, int mostMessages, int mostLanes, int mostOwnLanes) {
        Map<Long, Integer> own = waiting.getOrDefault(group, Map.of());
        int ownMessages = own.values().stream().mapToInt(Integer::intValue).sum();
        int lanes = waiting.values().stream().mapToInt(Map::size).sum();
        int left = Math.min(mostMessages - count(Source.WAIT) - ownMessages, mostLanes - lanes - own.size());
        return Math.max(0, Math.min(left, mostOwnLanes - own.size()));
    }

    /** @return false if it is already in memory */
    public boolean add(MessageHead head, Source source) {
        return add(head, new Origin(source, ""));
    }

    /** @return false if it is already in memory */
    public boolean addWaiting(MessageHead head, String group) {
        return add(head, new Origin(Source.WAIT, group));
    }

    private boolean add(MessageHead head, Origin origin) {
        if (messages.putIfAbsent(head.key(), origin) != null) {
            return false;
        }
        bySource.merge(origin.source(), 1, Integer::sum);
        if (origin.source() == Source.WINDOW) {
            fromWindows.merge(head.shard(), 1, Integer::sum);
        } else if (origin.source() == Source.WAIT) {
            waiting.computeIfAbsent(origin.group(), group -> new HashMap<>()).merge(head.lane(), 1, Integer::sum);
        }
        return true;
    }

    public void remove(MessageHead head) {
        Origin origin = messages.remove(head.key());
        if (origin == null) {
            return;
        }
        bySource.merge(origin.source(), -1, Integer::sum);
        if (origin.source() == Source.WINDOW) {
            fromWindows.computeIfPresent(head.shard(), LoadedMessages::oneLess);
        } else if (origin.source() == Source.WAIT) {
            waiting.computeIfPresent(origin.group(), (group, lanes) -> {
                lanes.computeIfPresent(head.lane(), LoadedMessages::oneLess);
                return lanes.isEmpty() ? null : lanes;
            });
        }
    }

    public void clear() {
        messages.clear();
        bySource.clear();
        fromWindows.clear();
        waiting.clear();
    }

    private static Integer oneLess(Object of, int count) {
        return count == 1 ? null : count - 1;
    }
}
