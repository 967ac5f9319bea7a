package io.outboxed.internal.relay.isolation;

import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.internal.relay.HandlerMode;
import io.outboxed.internal.relay.Outcome;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.spi.FailureClassifier;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The handlers of one node, each in a group of its own and outside a transaction, which makes a repeated call likelier.
 *
 * @param works by type and name
 */
record RecordedHandlers(String node, CallLog log, Map<HandlerKey, Work> works) implements HandlerInvoker {
    static final String TYPE = "placed";

    /** @param works of the one type, by name */
    static RecordedHandlers ofOneType(String node, CallLog log, Map<String, Work> works) {
        return new RecordedHandlers(
                node,
                log,
                works.entrySet().stream()
                        .collect(Collectors.toMap(each -> new HandlerKey(TYPE, each.getKey()), Map.Entry::getValue)));
    }

    @Override
    public Set<HandlerKey> all() {
        return works.keySet();
    }

    @Override
    public String group(HandlerKey handler) {
        return handler.handler();
    }

    @Override
    public HandlerMode mode(HandlerKey handler) {
        return HandlerMode.OUTSIDE;
    }

    @Override
    public Outcome deliver(Delivery delivery) {
        return log.call(node, delivery, works.get(delivery.key()));
    }

    /** As the built-in classifier: the handlers of a run throw ordinary exceptions. */
    @Override
    public FailureClassifier.Verdict classify(Delivery delivery, Throwable failure) {
        return FailureClassifier.Verdict.RETRY;
    }
}
