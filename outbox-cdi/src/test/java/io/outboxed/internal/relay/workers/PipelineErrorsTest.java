package io.outboxed.internal.relay.workers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.relay.Delivery;
import io.outboxed.internal.store.AckMode;
import org.junit.jupiter.api.Test;

/** Errors in the calls of a forwarder, between them and in their reports: each call is reported all the same. */
class PipelineErrorsTest extends PipelineFixture {
    private boolean clockBreaks;

    @Test
    void an_error_ends_its_own_call_only() {
        calls.add(call("a1 throws at begin", null));
        calls.add(call("b1 throws at end", null));
        calls.add(call("c1", null));

        run();

        assertThat(log).contains("a1 throws at begin Unknown", "b1 throws at end Unknown", "c1 ok");
        assertThat(calls.load()).isZero();
    }

    @Test
    void a_report_that_fails_loses_no_other_one() {
        calls.add(call("a1 unreported", null));
        calls.add(call("b1 fails", null));

        assertThatThrownBy(this::run).isInstanceOf(OutOfMemoryError.class);

        assertThat(log).contains("b1 fails Failed");
        assertThat(calls.load()).isZero();
    }

    @Test
    void after_a_report_that_fails_what_follows_in_other_lanes_is_reported_later() {
        calls.add(call("a1 unreported", null));
        calls.add(call("b1", call("b2", call("b3", null))));

        assertThatThrownBy(this::run).isInstanceOf(OutOfMemoryError.class);
        worker.reportLost();

        assertThat(log).contains("b1 ok", "a1 unreported Unknown", "b2 Unknown", "b3 Unknown");
        assertThat(calls.load()).isZero();
    }

    @Test
    void an_error_between_the_calls_and_their_reports_loses_none() {
        calls.add(call("a1", call("a2", null)));
        calls.add(call("b1", null));
        clockBreaks = true;

        assertThatThrownBy(this::run).isInstanceOf(StackOverflowError.class);
        clockBreaks = false;
        worker.reportLost();

        assertThat(log).containsExactly("begin a1", "a1 Unknown", "a2 Unknown", "b1 Unknown");
        assertThat(calls.load()).isZero();
    }

    @Test
    void an_error_while_they_are_taken_loses_none() {
        calls.add(call("a1", call("a2", null)));
        calls.add(call("b1", null));
        calls.add(new Call(() -> false, new Delivery(null, null, "forward", 1, AckMode.DELETE_MESSAGE), LEASE, null));

        assertThatThrownBy(this::run).as("its size is not known").isInstanceOf(NullPointerException.class);
        worker.reportLost();

        assertThat(log).containsExactly("a1 Unknown", "a2 Unknown");
        assertThat(calls.load()).as("the others are still queued").isEqualTo(2);
        assertThat(name(calls.poll().delivery())).isEqualTo("b1");
    }

    /** Once a call has begun, there may be no memory for the next object. */
    @Override
    long nanos() {
        if (clockBreaks && !log.isEmpty()) {
            throw new StackOverflowError("in a test");
        }
        return super.nanos();
    }
}
