package io.outboxed.internal.testkit.standalone;

import io.outboxed.internal.testkit.Fault;
import io.outboxed.internal.testkit.ObservedCalls;
import io.outboxed.internal.testkit.TestTables;
import io.outboxed.testkit.HandlerCall;
import io.outboxed.testkit.OutboxTester;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Runs a scenario once undisturbed, then with each fault at each of its calls, and compares the states at the end. */
final class RedeliveryRuns {
    private static final int MOST_CALLS = 200;
    private static final int MOST_WAITS = 1000;
    private static final Duration ROUNDING = Duration.ofMillis(1);

    private final OutboxTester outbox;
    private final ObservedCalls observed;
    private final TestTables tables;
    private final Runnable reset;

    RedeliveryRuns(OutboxTester outbox, ObservedCalls observed, TestTables tables, Runnable reset) {
        this.outbox = outbox;
        this.observed = observed;
        this.tables = tables;
        this.reset = reset;
    }

    void verify(Runnable scenario, Supplier<?> state) {
        End expected = run(scenario, state, 0, null);
        List<HandlerCall> calls = observed.all();
        if (calls.isEmpty()) {
            throw new AssertionError("the scenario has published nothing that a handler observes");
        }
        for (int call = 1; call <= Math.min(calls.size(), MOST_CALLS); call++) {
            for (Fault fault : Fault.values()) {
                End found;
                try {
                    found = run(scenario, state, call, fault);
                } catch (RuntimeException | AssertionError e) {
                    throw new AssertionError(where(calls, call, fault) + ", the run failed: " + e.getMessage(), e);
                }
                compare(expected, found, where(calls, call, fault));
            }
        }
    }

    /**
     * @param deadLetters a line for each
     * @param undelivered what is paused, or waits behind a dead letter; a line for each
     */
    private record End(EndState state, List<String> deadLetters, List<String> undelivered) {}

    private static void compare(End expected, End found, String where) {
        if (!expected.state().isSameAs(found.state())) {
            throw new AssertionError(where + ", the state differs.\n  without it: "
                    + expected.state().text() + "\n  with it:    "
                    + found.state().text());
        }
        if (!expected.deadLetters().equals(found.deadLetters())) {
            throw new AssertionError(where + ", the dead letters differ.\n  without it: " + expected.deadLetters()
                    + "\n  with it:    " + found.deadLetters());
        }
        if (!expected.undelivered().equals(found.undelivered())) {
            throw new AssertionError(where + ", what is left undelivered differs.\n  without it: "
                    + expected.undelivered() + "\n  with it:    " + found.undelivered());
        }
    }

    private static String where(List<HandlerCall> calls, int number, Fault fault) {
        HandlerCall call = calls.get(number - 1);
        return "After " + fault.words() + " (call " + number + " of " + calls.size() + ": " + call.handler() + " with "
                + call.type() + (call.aggregateId().isEmpty() ? "" : " of " + call.aggregateId()) + ")";
    }

    private End run(Runnable scenario, Supplier<?> state, int call, Fault fault) {
        reset.run();
        observed.planAt(call, fault);
        scenario.run();
        deliverEverything();
        return new End(EndState.of(state.get()), tables.deadLetters(), tables.undelivered());
    }

    private void deliverEverything() {
        for (int waits = 0; waits <= MOST_WAITS; waits++) {
            outbox.drain();
            Optional<Duration> wait = tables.untilDue();
            // asked last: since the drain, more may have become due
            if (wait.isEmpty() && !tables.isAnyDue()) {
                requireHandlers();
                return;
            }
            wait.ifPresent(time -> outbox.advance(time.plus(ROUNDING)));
        }
        throw new AssertionError("something is attempted again without end. Left:\n" + tables.left());
    }

    private void requireHandlers() {
        if (tables.isAnyWithoutHandler()) {
            throw new AssertionError("an event has no handler here, so nothing is known about its redelivery: add the"
                    + " handler's class to @OutboxTest, or an observer to the test. Left:\n" + tables.left());
        }
    }
}
