package io.outboxed.internal.testkit;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.EventType;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.internal.capture.UncommittedRows;
import io.outboxed.internal.capture.event.EventTypes;
import io.outboxed.internal.hibernate.OutboxRow;
import io.outboxed.internal.relay.HandlerInvoker;
import io.outboxed.spi.PayloadCodec;
import io.outboxed.testkit.HandlerCall;
import io.outboxed.testkit.OutboxTester;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The kit's interface over the tables and the observed calls; how the relay is driven differs. */
@ApplicationScoped
@Transactional(TxType.NOT_SUPPORTED)
public class TestOutbox implements OutboxTester {

    @Inject
    TestTables tables;

    @Inject
    ObservedCalls observed;

    @Inject
    HandlerInvoker handlers;

    @Inject
    DeadLetters letters;

    @Inject
    PayloadCodec codec;

    @Inject
    UncommittedRows uncommitted;

    @Inject
    TestTransaction transaction;

    private RelayDriver relay = new RunningRelay();

    public void driveWith(RelayDriver newRelay) {
        relay = newRelay;
    }

    @Override
    public void drain(Duration limit) {
        // a call whose commit has removed its row may not be recorded yet, so the tables are asked first
        BooleanSupplier done = () -> !tables.isAnyDue() && !observed.isAnyRunning();
        // the last call may have ended late, and everything with it
        if (!relay.runUntil(done, limit) && !done.getAsBoolean()) {
            throw new AssertionError(
                    "not everything was delivered within " + limit + ". Left:\n" + tables.left() + relay.running());
        }
    }

    @Override
    public void await(UUID messageId, Duration limit) {
        relay.runUntil(
                () -> !tables.isPending(messageId) && !observed.isRunning(messageId)
                        || !relay.letsTimePass() && !tables.isAnyDue(),
                limit);
        if (tables.isPending(messageId)) {
            throw new AssertionError("event " + messageId + " is not done"
                    + (relay.letsTimePass() ? " after " + limit : "; time passes only with advance")
                    + ". Left:\n" + tables.left() + relay.running());
        }
        if (!tables.hasEnded(messageId)) {
            throw new AssertionError("nothing is stored about event " + messageId + ": it was not committed, or it was"
                    + " cancelled, or its dead letter was discarded. Left:\n" + tables.left());
        }
    }

    @Override
    public <T> List<T> published(Class<T> type) {
        return tables.published(typeOf(type)).stream()
                .map(stored -> decoded(stored.text(), stored.bytes(), type))
                .toList();
    }

    @Override
    @Transactional(TxType.SUPPORTS)
    public <T> List<T> uncommitted(Class<T> type) {
        String name = typeOf(type);
        return uncommitted.ofThisTransaction().stream()
                .filter(row -> row.type().equals(name))
                .map(row -> decoded(row, type))
                .toList();
    }

    @Override
    public List<HandlerCall> calls() {
        return observed.all();
    }

    @Override
    public List<HandlerCall> calls(String handler) {
        requireKnown(handler);
        return observed.all().stream()
                .filter(call -> call.handler().equals(handler))
                .toList();
    }

    @Override
    public void verifyOrder() {
        observed.verifyOrder();
    }

    @Override
    public List<DeadLetter> deadLetters() {
        return letters.find(DeadLetterFilter.all(), null, DeadLetters.MAX_PAGE).letters();
    }

    @Override
    public void advance(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("time is " + time + ", expected zero or more: it passes forward only");
        }
        tables.advance(time);
        relay.advanced(time);
    }

    @Override
    public void failNext(String handler, int calls) {
        requireKnown(handler);
        if (calls < 1) {
            throw new IllegalArgumentException("calls is " + calls + ", expected at least 1: none would fail");
        }
        for (int i = 0; i < calls; i++) {
            observed.plan(handler, Fault.FAILURE);
        }
    }

    @Override
    public void crashAfter(String handler) {
        requireKnown(handler);
        relay.noCrash().ifPresent(why -> {
            throw new UnsupportedOperationException(why);
        });
        observed.plan(handler, Fault.CRASH);
    }

    @Override
    public void deliverTwice(String handler) {
        requireKnown(handler);
        observed.plan(handler, Fault.TWICE);
    }

    @Override
    public void inTransaction(Runnable work) {
        transaction.run(work);
    }

    @Override
    public void verifyRedelivery(Runnable scenario, Supplier<?> state) {
        relay.verifyRedelivery(scenario, state);
    }

    private void requireKnown(String handler) {
        Set<String> known = new TreeSet<>();
        handlers.all().forEach(key -> known.add(key.handler()));
        if (!known.contains(handler)) {
            throw new IllegalArgumentException("there is no handler " + handler + " here; there are "
                    + (known.isEmpty() ? "none" : String.join(", ", known)));
        }
    }

    private static String typeOf(Class<?> event) {
        return EventTypes.nameOf(event)
                .map(EventType::value)
                .orElseThrow(() -> new IllegalArgumentException(event.getName() + " has no @EventType"));
    }

    private <T> T decoded(OutboxRow row, Class<T> type) {
        return decoded(row.payload(), row.payloadBinary(), type);
    }

    private <T> T decoded(String text, byte[] bytes, Class<T> type) {
        return codec.decode(text != null ? text : new String(bytes, StandardCharsets.UTF_8), type);
    }
}
