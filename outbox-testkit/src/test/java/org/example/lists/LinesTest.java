package org.example.lists;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.testkit.HandlerCall;
import io.outboxed.testkit.OutboxTest;
import io.outboxed.testkit.OutboxTester;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Batches in a test without a server. */
@OutboxTest
class LinesTest {
    private static final String PROJECT = "Lines.project";

    @Inject
    Lines lines;

    @Inject
    OutboxTester outbox;

    @BeforeEach
    void nothing_was_called() {
        lines.forget();
    }

    @Test
    void what_waits_comes_in_one_call_and_is_listed_event_by_event() {
        lines.add("o-1", List.of("a", "b", "c"));
        lines.add("o-2", List.of("d"));
        outbox.drain();

        assertThat(lines.calls()).containsExactlyInAnyOrder(List.of("a", "b", "c"), List.of("d"));
        assertThat(outbox.calls(PROJECT)).hasSize(4).allMatch(HandlerCall::succeeded);
    }

    @Test
    void after_a_failure_each_comes_alone() {
        lines.add("o-1", List.of("a", "poison", "c"));
        outbox.drain();

        assertThat(lines.calls()).containsExactly(List.of("a", "poison", "c"), List.of("a"), List.of("poison"));
        assertThat(outbox.calls(PROJECT))
                .extracting(HandlerCall::attempt, HandlerCall::succeeded)
                .containsExactly(tuple(1, true), tuple(1, false));
    }

    @Test
    void a_requested_failure_happens_to_the_first_event() {
        outbox.failNext(PROJECT, 1);
        lines.add("o-1", List.of("a", "b"));
        outbox.drain();
        assertThat(lines.calls()).isEmpty();

        outbox.advance(Duration.ofSeconds(61));
        outbox.drain();
        assertThat(lines.calls()).containsExactly(List.of("a"), List.of("b"));
    }

    @Test
    void a_requested_crash_and_a_second_delivery_change_nothing() {
        outbox.crashAfter(PROJECT);
        lines.add("o-1", List.of("a", "b"));
        outbox.drain();
        assertThat(lines.calls()).containsExactly(List.of("a"), List.of("a"), List.of("b"));

        lines.forget();
        outbox.deliverTwice(PROJECT);
        lines.add("o-1", List.of("c", "d"));
        outbox.drain();
        assertThat(lines.calls()).containsExactly(List.of("c"), List.of("d"));
    }
}
