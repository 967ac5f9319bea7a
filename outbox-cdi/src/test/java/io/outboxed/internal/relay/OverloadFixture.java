package io.outboxed.internal.relay;

import static java.util.stream.Collectors.toMap;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Workers that need some time for each call, and what they have called. */
abstract class OverloadFixture {
    static final int SHARE = 4;
    static final int WORKERS = 2 * SHARE;
    static final String OTHER_TYPE = "shipped";
    static final HandlerKey AUDIT = new HandlerKey(LoneRelay.TYPE, LoneRelay.AUDIT);
    static final HandlerKey SHIPPER = new HandlerKey(OTHER_TYPE, "Shipper.ship");
    static final Duration SECOND = Duration.ofSeconds(1);
    static final Duration STEP = Duration.ofMillis(100);
    static final OutboxConfig.Retry RETRY =
            new OutboxConfig.Retry(5, Duration.ofSeconds(3), 1, Duration.ofSeconds(3), false);

    final List<Call> called = new ArrayList<>();
    final Deque<Running> running = new ArrayDeque<>();
    long time;

    record Running(Call call, long until) {}

    /** Each type has one handler. */
    static LoneRelay relay(HandlerKey... handlers) {
        return new LoneRelay(
                        SHARE,
                        RETRY,
                        Stream.of(handlers).collect(toMap(each -> each, each -> HandlerMode.TRANSACTIONAL)))
                .holdsAllShards(false);
    }

    /** Each in an aggregate of its own. */
    static void burst(LoneRelay node, int events) {
        LongStream.range(10_000, 10_000 + events).forEach(node::publish);
    }

    /** @param ofEachCall of all handlers but one, whose calls end at once */
    void work(LoneRelay node, Duration time, Duration ofEachCall) {
        long end = this.time + time.toNanos();
        long step = Math.min(STEP.toNanos(), ofEachCall.toNanos());
        node.turns();
        while (this.time < end) {
            begin(node, ofEachCall);
            node.pass(Duration.ofNanos(step));
            this.time += step;
            while (!running.isEmpty() && running.peekFirst().until() <= this.time) {
                Call ended = running.pollFirst().call();
                node.succeeds(ended);
            }
        }
    }

    private void begin(LoneRelay node, Duration ofEachCall) {
        while (running.size() < WORKERS) {
            Call call = node.calls.poll();
            if (call == null) {
                return;
            }
            called.add(call);
            if (call.handler().equals(SHIPPER.handler())) {
                node.succeeds(call);
            } else {
                running.addLast(new Running(call, time + ofEachCall.toNanos()));
            }
        }
    }
}
