package io.outboxed.internal.relay.workers;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

/**
 * Successes on their way to the acknowledgers. Those of one lane go to the same acknowledger, in their order: if a
 * later one were recorded first and the node died, the earlier event would be delivered again, after its successor.
 */
public record AckQueues(List<BlockingQueue<Call>> queues) {

    public AckQueues(int acknowledgers) {
        this(Stream.<BlockingQueue<Call>>generate(LinkedBlockingQueue::new)
                .limit(acknowledgers)
                .toList());
    }

    /** May be called by any thread. */
    public void add(Call call) {
        queues.get(call.lease().shard() % queues.size()).add(call);
    }
}
