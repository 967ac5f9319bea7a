package io.outboxed.internal.relay.memory;

import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.MessageKey;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** The messages in memory. */
public final class LoadedMessages {
    private final Map<MessageKey, Source> messages = new HashMap<>();
    private final Map<Source, Integer> bySource = new EnumMap<>(Source.class);
    private final Map<Integer, Integer> fromWindows = new HashMap<>();

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

    /** @return false if it is already in memory */
    public boolean add(MessageHead head, Source source) {
        if (messages.putIfAbsent(head.key(), source) != null) {
            return false;
        }
        bySource.merge(source, 1, Integer::sum);
        if (source == Source.WINDOW) {
            fromWindows.merge(head.shard(), 1, Integer::sum);
        }
        return true;
    }

    public void remove(MessageHead head) {
        Source source = messages.remove(head.key());
        if (source == null) {
            return;
        }
        bySource.merge(source, -1, Integer::sum);
        if (source == Source.WINDOW) {
            fromWindows.computeIfPresent(head.shard(), (shard, count) -> count == 1 ? null : count - 1);
        }
    }
}
