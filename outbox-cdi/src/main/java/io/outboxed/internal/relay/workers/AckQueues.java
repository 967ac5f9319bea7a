package io.outboxed.internal.relay.workers;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

/**
 * Successes on their way to the settlers. Those of one lane go to the same one, in their order: if a later one were recorded
 * first and the node died, the earlier one would come again alone, after its successor.
 */
public record AckQueues(List<BlockingQueue<Call>> queues) {

    public AckQueues(int acknowledgers) {
        this(Stream.<BlockingQueue<Call>>generate(LinkedBlockingQueue::new)
                .limit(acknowledgers)
                .toList());
    }

    /** From any thread. */
    public void add(Call call) {
        queues.get(call.lease().shard() % queues.size()).add(call);
    }
}
