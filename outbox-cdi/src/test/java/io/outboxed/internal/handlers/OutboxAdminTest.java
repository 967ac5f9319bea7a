package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.OutboxAdmin;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.AuditEntry;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkOperation.State;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.EditedReplay;
import io.outboxed.admin.EventContent;
import io.outboxed.admin.PauseTarget;
import io.outboxed.admin.ReplayResult;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingState;
import io.outboxed.internal.metrics.RecordingBackend;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The bean that applications inject; the operations behind it are tested by OperatorContract, on each database. */
class OutboxAdminTest {
    private static final Attribution ALICE = Attribution.of("alice", "repaired");

    private final Deployment deployment = Deployment.of();
    private OutboxAdmin admin;

    @BeforeEach
    void inject() {
        admin = deployment.get(OutboxAdmin.class);
    }

    @AfterEach
    void stop() {
        deployment.close();
    }

    @Test
    void changes_of_both_beans_are_in_the_audit() {
        UUID one = deployment.deadLetter("Shop.ship", "o-1");
        UUID two = deployment.deadLetter("Shop.ship", "o-2");

        assertThat(admin.replay(one, "Shop.ship", false, ALICE)).isEqualTo(ReplayResult.WOULD_REORDER);
        assertThat(admin.replay(one, "Shop.ship", true, ALICE)).isEqualTo(ReplayResult.REPLAYED);
        assertThat(deployment.get(DeadLetters.class).discard(two, "Shop.ship")).isTrue();
        assertThat(admin.audit(null, 10).entries())
                .extracting(AuditEntry::action, entry -> entry.attribution().who(), AuditEntry::messageId)
                .containsExactlyInAnyOrder(tuple("replay", "alice", one), tuple("discard", "application", two));
    }

    @Test
    void a_dead_letter_is_replayed_with_another_payload_as_a_new_event() {
        UUID old = deployment.deadLetter("Shop.ship", "o-1");

        assertThat(admin.replayEdited(old, "Shop.ship", "{}", false, ALICE).result())
                .isEqualTo(ReplayResult.WOULD_REORDER);
        for (String wrong : List.of("{", "\"\u0000\"", "\"" + "x".repeat(1 << 20) + "\"")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> admin.replayEdited(old, "Shop.ship", wrong, true, ALICE));
        }
        EditedReplay replay = admin.replayEdited(old, "Shop.ship", "{\"item\":\"book\"}", true, ALICE);
        assertThat(replay.result()).isEqualTo(ReplayResult.REPLAYED);
        assertThat(admin.content(replay.eventId())).contains(new EventContent(null, "{\"item\":\"book\"}", null));
        assertThat(admin.event(old)).isEmpty();
        assertThat(admin.replayEdited(old, "Shop.ship", "{}", true, ALICE))
                .isEqualTo(new EditedReplay(ReplayResult.NOT_FOUND, null));
        assertThat(admin.audit(null, 10).entries())
                .extracting(AuditEntry::action, AuditEntry::target, AuditEntry::messageId)
                .containsExactly(tuple("edit", "handler Shop.ship, new event " + replay.eventId(), old));
    }

    @Test
    void a_dead_letter_that_died_at_another_time_is_not_the_one_that_was_seen() {
        UUID id = deployment.deadLetter("Shop.ship", "o-1");
        DeadLetter now = deployment.get(DeadLetters.class).get(id, "Shop.ship").orElseThrow();
        DeadLetter seen = new DeadLetter(
                now.messageId(),
                now.type(),
                now.aggregateType(),
                now.aggregateId(),
                now.handler(),
                now.handlerGroup(),
                now.attempts(),
                now.error(),
                now.createdAt(),
                now.diedAt().minusNanos(1_000),
                now.blocking());

        assertThat(admin.replay(seen, true, ALICE)).isEqualTo(ReplayResult.NOT_FOUND);
        assertThat(admin.replayEdited(seen, "{}", true, ALICE))
                .isEqualTo(new EditedReplay(ReplayResult.NOT_FOUND, null));
        assertThat(admin.discard(seen, ALICE)).isFalse();
        assertThat(admin.audit(null, 10).entries()).isEmpty();
        assertThat(admin.replay(now, false, ALICE)).isEqualTo(ReplayResult.WOULD_REORDER);
        assertThat(admin.discard(now, ALICE)).isTrue();
        assertThat(admin.event(id)).isEmpty();
    }

    @Test
    void each_discarded_dead_letter_is_counted() {
        deployment.deadLetter("Shop.ship", "o-1");
        deployment.deadLetter("Shop.ship", "o-2");
        UUID last = deployment.deadLetter("Shop.ship", "o-3");

        assertThat(admin.discard(last, "Shop.ship", ALICE)).isTrue();
        assertThat(admin.discard(DeadLetterFilter.all(), 10, ALICE)).isEqualTo(2);
        assertThat(deployment.get(RecordingBackend.class).count("outbox.dead.letters.discarded{handler=Shop.ship}"))
                .isEqualTo(3);
    }

    @Test
    void a_bulk_operation_is_listed_and_can_be_cancelled_once() {
        deployment.deadLetter("Shop.ship", "o-1");

        BulkOperation started = admin.start(BulkRequest.discard(DeadLetterFilter.all()), ALICE);
        assertThat(started.matched()).isOne();
        assertThat(started.attribution()).isEqualTo(ALICE);
        assertThat(admin.operation(started.id())).contains(started);
        assertThat(admin.operations()).containsExactly(started);
        assertThat(admin.cancel(started.id(), ALICE))
                .hasValueSatisfying(ended -> assertThat(ended.state()).isEqualTo(State.CANCELLED));
        assertThat(admin.cancel(started.id(), ALICE)).isEmpty();
        assertThat(admin.operation(started.id()).orElseThrow().state()).isEqualTo(State.CANCELLED);
    }

    @Test
    void what_is_not_stored_is_not_found() {
        assertThat(admin.event(UUID.randomUUID())).isEmpty();
        assertThat(admin.content(UUID.randomUUID())).isEmpty();
        assertThat(admin.find(WaitingFilter.in(WaitingState.READY), null, 10).items())
                .isEmpty();
        assertThat(admin.aggregate("order", "1").waits()).isEmpty();
        assertThat(admin.failures(DeadLetterFilter.all())).isEmpty();
        assertThat(admin.retryNow(UUID.randomUUID(), "Shop.ship", ALICE)).isFalse();
        assertThat(admin.audit(null, 10).entries()).as("nothing was changed").isEmpty();
    }

    @Test
    void a_content_that_is_logged_shows_neither_payload_nor_headers() {
        assertThat(new EventContent("{\"tenant\":\"acme\"}", "secret", null)).hasToString("EventContent[6 characters]");
        assertThat(new EventContent(null, null, new byte[] {7, 8})).hasToString("EventContent[2 bytes]");
    }

    @Test
    void an_aggregate_is_selected_by_any_kind_of_id() {
        WaitingFilter ready = WaitingFilter.in(WaitingState.READY);
        assertThat(ready.aggregate("order", 7)).isEqualTo(ready.aggregate("order", "7"));
        assertThat(ready.aggregate("order", 7).aggregate(null, null)).isEqualTo(ready);
    }

    @Test
    void what_is_out_of_its_range_is_refused() {
        WaitingFilter ready = WaitingFilter.in(WaitingState.READY);
        assertThatIllegalArgumentException().isThrownBy(() -> admin.find(ready, null, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> admin.find(ready, null, 1001));
        assertThatIllegalArgumentException().isThrownBy(() -> admin.find(ready, "x", 1));
        assertThatIllegalArgumentException().isThrownBy(() -> ready.handler("mail"));
        assertThatIllegalArgumentException().isThrownBy(() -> admin.audit("7_x", 1));
        assertThatIllegalArgumentException().isThrownBy(() -> admin.discard(DeadLetterFilter.all(), 0, ALICE));
        assertThatIllegalArgumentException().isThrownBy(() -> Attribution.of(" ", ""));
        assertThatIllegalArgumentException().isThrownBy(() -> Attribution.of("alice", "x".repeat(501)));
        assertThatIllegalArgumentException().isThrownBy(() -> PauseTarget.handler(""));
        UUID id = UUID.randomUUID();
        for (String handler : List.of("", "mail ", "orders/mail", "m".repeat(129))) {
            assertThatIllegalArgumentException().isThrownBy(() -> admin.retryNow(id, handler, ALICE));
            assertThatIllegalArgumentException().isThrownBy(() -> admin.heldUpBy(id, handler));
            assertThatIllegalArgumentException().isThrownBy(() -> admin.replay(id, handler, true, ALICE));
            assertThatIllegalArgumentException().isThrownBy(() -> admin.discard(id, handler, ALICE));
            assertThatIllegalArgumentException().isThrownBy(() -> admin.replayEdited(id, handler, "{}", true, ALICE));
        }
        assertThat(admin.heldUpBy(id, "?"))
                .as("what waits for the first handler of its type")
                .isEmpty();
        BulkRequest replay = BulkRequest.replay(DeadLetterFilter.all());
        assertThatIllegalArgumentException().isThrownBy(() -> replay.perSecond(0));
        assertThatIllegalArgumentException().isThrownBy(() -> replay.perSecond(1001));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BulkRequest.discard(DeadLetterFilter.all()).allowReordering(true));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BulkRequest.replay(DeadLetterFilter.all().handler("x".repeat(256))));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BulkRequest.replay(DeadLetterFilter.all().error("x".repeat(1001))));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BulkRequest.replay(DeadLetterFilter.all().type("")));
        assertThatNullPointerException().isThrownBy(() -> admin.start(replay, null));
        assertThatNullPointerException().isThrownBy(() -> admin.pause(null, ALICE));
        assertThatNullPointerException().isThrownBy(() -> admin.discard(UUID.randomUUID(), "A", null));
        assertThat(admin.audit(null, 10).entries()).isEmpty();
    }

    @Test
    void a_transaction_of_the_caller_takes_no_part() throws Exception {
        NarayanaTransactions.MANAGER.begin();
        try {
            assertThat(admin.pause(PauseTarget.everything(), ALICE)).isTrue();
        } finally {
            NarayanaTransactions.MANAGER.rollback();
        }
        assertThat(admin.pauses()).hasSize(1);
    }
}
