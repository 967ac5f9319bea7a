package io.outboxed.internal.relay;

import static io.outboxed.internal.relay.LoneRelay.AUDIT;
import static io.outboxed.internal.relay.LoneRelay.MAIL;
import static io.outboxed.internal.relay.LoneRelay.TYPE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.admin.PauseTarget;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.workers.Call;
import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.MemoryTransaction;
import io.outboxed.internal.store.MessageHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a pause holds back, what goes on, and what comes first after the resume. */
class PausedDeliveriesTest {
    /** A relay reads the pauses at least once a second. */
    private static final Duration NOTICED = Duration.ofMillis(1_010);

    /** Lanes are woken shard by shard, and what is due then is read with the next poll. */
    private static final Duration BETWEEN_READS = Duration.ofMillis(50);

    private static final PauseTarget MAILS = PauseTarget.handler(MAIL);

    private final LoneRelay node = new LoneRelay(
                    OutboxConfig.Retry.DEFAULTS,
                    Map.of(
                            new HandlerKey(TYPE, MAIL), HandlerMode.TRANSACTIONAL,
                            new HandlerKey(TYPE, AUDIT), HandlerMode.TRANSACTIONAL),
                    List.of())
            .holdsAllShards(false);

    private static List<PauseTarget> targets() {
        return List.of(MAILS, PauseTarget.type(TYPE), PauseTarget.everything());
    }

    private void pause(PauseTarget target) {
        node.store.pause(target);
        node.pass(NOTICED);
    }

    private void resume(PauseTarget target) {
        node.store.resume(target);
        node.pass(NOTICED);
        node.pass(BETWEEN_READS);
    }

    private List<String> calledAndSucceeded() {
        List<Call> calls = node.called();
        calls.forEach(node::succeeds);
        return calls.stream().map(Call::handler).toList();
    }

    @ParameterizedTest
    @MethodSource("targets")
    void what_is_paused_waits_in_its_order_and_uses_up_no_attempt(PauseTarget target) {
        pause(target);
        MessageHead first = node.publish(1);
        MessageHead second = node.publish(1);
        for (int i = 0; i < 40; i++) {
            node.pass(NOTICED);
            assertThat(calledAndSucceeded()).doesNotContain(MAIL);
        }
        resume(target);

        List<Call> mails = new ArrayList<>();
        for (List<Call> calls = node.called(); !calls.isEmpty(); calls = node.called()) {
            calls.stream().filter(call -> call.handler().equals(MAIL)).forEach(mails::add);
            calls.forEach(node::succeeds);
            node.pass(Duration.ofMillis(100));
        }
        assertThat(mails)
                .extracting(
                        call -> call.delivery().head().seq(),
                        call -> call.delivery().attempt())
                .containsExactly(tuple(first.seq(), 1), tuple(second.seq(), 1));
        assertThat(node.store.messages() + node.store.waitRows()).isZero();
    }

    @Test
    void other_handlers_go_on() {
        pause(MAILS);
        for (int i = 0; i < 3; i++) {
            node.publish(1);
        }
        node.turns();

        assertThat(calledAndSucceeded()).containsExactly(AUDIT);
        assertThat(calledAndSucceeded()).containsExactly(AUDIT);
        assertThat(calledAndSucceeded()).containsExactly(AUDIT);
        assertThat(node.called()).isEmpty();
    }

    /** There is no memory for the report of the first of three calls that are taken back. */
    @Test
    void an_error_meanwhile_loses_no_call_that_has_not_begun() {
        LongStream.rangeClosed(1, 3).forEach(node::publish);
        node.turns();
        assertThat(calledAndSucceeded()).containsExactly(AUDIT, AUDIT, AUDIT);
        node.called().forEach(node::fails);
        node.pass(Duration.ofMinutes(1));
        assertThat(node.calls.load()).as("the retries are queued").isEqualTo(3);

        node.store.pause(MAILS);
        node.handlers.outOfMemory = true;
        assertThatThrownBy(() -> node.pass(NOTICED)).isInstanceOf(OutOfMemoryError.class);
        assertThat(node.calls.load()).isZero();
        node.relay.lostAll();
        node.turns();
        node.holdsAllShards(false);
        resume(MAILS);
        node.pass(Duration.ofMinutes(1));

        assertThat(calledAndSucceeded()).containsExactly(MAIL, MAIL, MAIL);
        assertThat(node.store.messages()).isZero();
    }

    @Test
    void a_pause_of_everything_leaves_new_messages_where_they_are() {
        pause(PauseTarget.everything());
        node.publish(1);
        node.publish(2);
        node.pass(NOTICED);

        assertThat(node.store.messages()).isEqualTo(2);
        assertThat(node.store.waitRows()).isZero();
        assertThat(node.statements.written)
                .as("nothing is written because of it")
                .isZero();
    }

    @Test
    void a_retry_that_becomes_due_waits_and_its_attempts_so_far_count() {
        node.publish(1);
        node.turns();
        assertThat(calledAndSucceeded()).containsExactly(AUDIT);
        node.called().forEach(node::fails);
        pause(MAILS);
        node.pass(Duration.ofMinutes(5));
        assertThat(calledAndSucceeded()).doesNotContain(MAIL);

        resume(MAILS);
        assertThat(node.called()).singleElement().satisfies(call -> {
            assertThat(call.handler()).isEqualTo(MAIL);
            assertThat(call.delivery().attempt()).isEqualTo(2);
        });
    }

    @Test
    void a_delayed_message_that_becomes_due_waits() {
        node.publishDelayed(1, Duration.ofSeconds(10));
        pause(PauseTarget.type(TYPE));
        node.pass(Duration.ofSeconds(30));
        node.pass(NOTICED);
        assertThat(node.called()).isEmpty();

        resume(PauseTarget.type(TYPE));
        assertThat(node.called()).isNotEmpty();
    }

    @Test
    void calls_that_have_not_begun_are_taken_back() {
        for (int lane = 1; lane <= 5; lane++) {
            node.publish(lane);
        }
        node.turns();
        pause(MAILS);

        assertThat(calledAndSucceeded()).isNotEmpty().doesNotContain(MAIL);
        resume(MAILS);
        assertThat(calledAndSucceeded()).hasSize(5).containsOnly(MAIL);
        node.turns();
        assertThat(node.store.messages() + node.store.waitRows()).isZero();
    }

    @Test
    void a_call_that_runs_comes_to_its_end_and_the_next_handler_of_its_message_waits() {
        node.publish(1);
        node.turns();
        Call running = node.calls.poll();
        String other = running.handler().equals(MAIL) ? AUDIT : MAIL;
        pause(PauseTarget.type(TYPE));
        node.succeeds(running);
        node.pass(NOTICED);
        assertThat(node.called()).isEmpty();

        resume(PauseTarget.type(TYPE));
        assertThat(calledAndSucceeded()).containsExactly(other);
        node.turns();
        assertThat(node.store.messages() + node.store.waitRows()).isZero();
    }

    @Test
    void a_locked_message_of_another_aggregate_holds_up_no_resume() {
        pause(PauseTarget.type(TYPE));
        MessageHead asleep = node.publish(1);
        node.pass(NOTICED);
        node.pass(BETWEEN_READS);
        MessageHead locked = node.publish(1 + 64);
        MemoryTransaction elsewhere = node.store.begin();
        elsewhere.claim(locked);
        node.pass(NOTICED);

        resume(PauseTarget.type(TYPE));
        assertThat(node.called())
                .as("although what is to be stored about the other one waits for its row")
                .extracting(call -> call.delivery().head().seq())
                .contains(asleep.seq());

        elsewhere.rollback();
        node.pass(Duration.ofSeconds(1));
        node.pass(NOTICED);
        assertThat(node.called())
                .as("stored as paused only after the resume")
                .extracting(call -> call.delivery().head().seq())
                .contains(locked.seq());
    }

    @Test
    void what_another_pause_covers_stays_paused() {
        pause(MAILS);
        node.publish(1);
        node.turns();
        calledAndSucceeded();
        pause(PauseTarget.type(TYPE));
        resume(MAILS);
        node.pass(NOTICED);
        assertThat(node.called()).isEmpty();

        resume(PauseTarget.type(TYPE));
        assertThat(calledAndSucceeded()).containsExactly(MAIL);
    }

    @Test
    void a_node_that_takes_over_a_shard_wakes_what_its_last_owner_has_put_to_sleep() {
        pause(MAILS);
        node.publish(1);
        node.turns();
        calledAndSucceeded();
        node.pass(BETWEEN_READS);
        node.relay.lostAll();
        resume(MAILS);
        node.holdsAllShards(false);
        node.pass(NOTICED);
        node.pass(BETWEEN_READS);

        assertThat(calledAndSucceeded()).containsExactly(MAIL);
    }

    @Test
    void a_resume_is_not_forgotten_while_the_database_fails() {
        pause(MAILS);
        node.publish(1);
        node.turns();
        calledAndSucceeded();
        node.turns();
        node.statements.cut = "wake";
        resume(MAILS);
        node.pass(NOTICED);

        assertThat(calledAndSucceeded()).containsExactly(MAIL);
    }
}
