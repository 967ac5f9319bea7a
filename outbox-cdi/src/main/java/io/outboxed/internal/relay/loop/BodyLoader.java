package io.outboxed.internal.relay.loop;

import io.outboxed.internal.store.MessageBody;
import io.outboxed.internal.store.MessageReads;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Loads the bodies of messages that are about to be delivered; small bodies were read together with their heads. */
final class BodyLoader {
    private final MessageReads store;
    private final LoopState state;

    BodyLoader(MessageReads store, LoopState state) {
        this.store = store;
        this.state = state;
    }

    /** @return the turns whose bodies are loaded; if a row is gone, its lane is read again */
    List<Turn> load(List<Turn> turns) {
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
        return loaded;
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
