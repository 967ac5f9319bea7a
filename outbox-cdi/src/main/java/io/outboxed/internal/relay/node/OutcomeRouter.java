package io.outboxed.internal.relay.node;

import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.relay.loop.RelayLoop;
import io.outboxed.internal.relay.workers.AckQueues;
import io.outboxed.internal.relay.workers.Call;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The way of an outcome from a worker: to the loop, or if it is a success to be recorded, to an acknowledger. */
public final class OutcomeRouter {
    private final Consumer<Runnable> mailbox;
    private final RelayLoop relay;
    private final AckQueues successes;
    private final HandlerInvoker invoker;
    /**
     * Per circuit, whether a failure was reported and no success since. To report each success takes a tenth of the
     * relay's rate.
     */
    private final Map<String, AtomicBoolean> failing = new ConcurrentHashMap<>();

    /** @param mailbox of the loop */
    public OutcomeRouter(Consumer<Runnable> mailbox, RelayLoop relay, AckQueues successes, HandlerInvoker invoker) {
        this.mailbox = mailbox;
        this.relay = relay;
        this.successes = successes;
        this.invoker = invoker;
    }

    /** A success that is to be recorded. May be called by any thread. */
    public void succeeded(Call call) {
        AtomicBoolean failed = failing.isEmpty() ? null : failing.get(circuit(call));
        if (failed != null && failed.compareAndSet(true, false)) {
            try {
                mailbox.accept(() -> relay.receiverWorks(call));
            } catch (Throwable e) {
                failed.set(true);
                throw e;
            }
        }
        successes.add(call);
    }

    /** Any other outcome. May be called by any thread. */
    public void ended(Call call, Outcome outcome) {
        AtomicBoolean failed =
                mayCount(outcome) ? failing.computeIfAbsent(circuit(call), key -> new AtomicBoolean()) : null;
        mailbox.accept(() -> relay.ended(call, outcome));
        // not before: the report of a success that sees it has to come after that of the failure
        if (failed != null) {
            failed.set(true);
        }
    }

    /** An unclear end counts if it comes too often. */
    private static boolean mayCount(Outcome outcome) {
        return outcome instanceof Outcome.Failed
                || outcome instanceof Outcome.Lost
                || outcome instanceof Outcome.Unknown;
    }

    private String circuit(Call call) {
        return invoker.circuit(call.delivery().head(), call.handler());
    }
}
