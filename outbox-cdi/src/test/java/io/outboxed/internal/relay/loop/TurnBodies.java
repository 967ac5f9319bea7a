package io.outboxed.internal.relay.loop;

import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.MessageBody;

/** What a turn keeps in memory. */
public final class TurnBodies {
    private TurnBodies() {}

    public static MessageBody of(Call call) {
        return Turn.of(call).body;
    }
}
