package io.outboxed.internal.relay.loop;

import io.outboxed.internal.store.MessageBody;
import io.outboxed.internal.store.MessageHead;
import io.outboxed.internal.store.MessageReads;
import io.outboxed.internal.store.RelayStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Loads the bodies of messages that are about to be delivered; small bodies were read together with their heads. Of
 * those with a delay it loads only what can no longer be cancelled.
 */
final class BodyLoader {
    private final MessageReads store;
    private final LoopState state;

    BodyLoader(MessageReads store, LoopState state) {
        this.store = store;
        this.state = state;
    }

    /** @return the turns that can be called; if a row is gone, or may be cancelled, its lane is read again */
    List<Turn> load(List<Turn> turns, long now) {
        List<Turn> current = turns.stream().filter(state.lanes()::isCurrent).toList();
        if (current.isEmpty()) {
            return current;
        }
        List<Turn> all = current.stream().flatMap(Turn::andFollowers).toList();
        Map<Long, MessageBody> bodies = bodies(all);
        for (Turn turn : all) {
            turn.body = turn.head.body() != null ? turn.head.body() : bodies.get(turn.head.seq());
        }
        List<Turn> loaded = new ArrayList<>();
        for (Turn turn : current) {
            if (turn.andFollowers().allMatch(BodyLoader::hasBody)) {
                loaded.add(turn);
            } else {
                // acknowledged in the meantime by a node that has lost the shard
                state.readAgain(turn.lane);
            }
        }
        return withoutCancelled(loaded, now);
    }

    /**
     * A transaction that cancels a message holds the lock of its row, and may have begun before the delay was over. A
     * transactional call would wait for it when it claims the row, but a call outside a transaction would not notice.
     */
    private List<Turn> withoutCancelled(List<Turn> turns, long now) {
        List<MessageHead> delayed = turns.stream()
                .flatMap(Turn::andFollowers)
                .filter(BodyLoader::wasDelayed)
                .map(turn -> turn.head)
                .toList();
        if (delayed.isEmpty()) {
            return turns;
        }
        Set<UUID> startable = store.startable(delayed);
        List<Turn> left = new ArrayList<>();
        for (Turn turn : turns) {
            if (turn.andFollowers().allMatch(each -> !wasDelayed(each) || startable.contains(each.head.id()))) {
                left.add(turn);
            } else {
                state.readAgainLater(turn.lane.key, turn.lane.shard, now + RelayStore.LOCKED_ROW_RETRY_DELAY);
            }
        }
        return left;
    }

    /** Not for a delivery that waits for its next attempt: its message was called before. */
    private static boolean wasDelayed(Turn turn) {
        return turn.waiting == null && !turn.body.delay().isZero();
    }

    private static boolean hasBody(Turn turn) {
        return turn.body != null && turn.body.id().equals(turn.head.id());
    }

    private Map<Long, MessageBody> bodies(List<Turn> turns) {
        Map<Long, MessageBody> bodies = new HashMap<>();
        List<Long> wanted = turns.stream()
                .filter(turn -> turn.head.body() == null)
                .map(turn -> turn.head.seq())
                .toList();
        if (!wanted.isEmpty()) {
            store.bodies(wanted).forEach(body -> bodies.put(body.seq(), body));
        }
        return bodies;
    }
}
