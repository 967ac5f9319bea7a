package io.outboxed.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.PauseTarget.Kind;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingState;
import io.outboxed.operator.Operator.Bulk;
import io.outboxed.operator.Operator.Drop;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Which arguments are refused: nothing is changed then. */
interface RefusedArgumentsContract extends OperatorFixture {
    String NO_ID = "17";
    DeadLetterFilter ENDS_BEFORE_IT_BEGINS =
            DeadLetterFilter.all().diedSince(Instant.ofEpochSecond(1002)).diedUntil(Instant.ofEpochSecond(1001));
    DeadLetterFilter ENDS_AS_IT_BEGINS =
            DeadLetterFilter.all().diedSince(Instant.ofEpochSecond(1001)).diedUntil(Instant.ofEpochSecond(1001));

    @Test
    default void a_change_with_a_wrong_argument_changes_nothing() throws SQLException {
        String id = tables().dead("order.placed", "1", "mail", "down").toString();
        UUID event = tables().waitingLong("order.placed", "2", "mail");
        tables().handler("order.placed", "mail", false);
        Map<String, Integer> before = tables().counts();
        String tooLong = "x".repeat(501);
        DeadLetterFilter mail = DeadLetterFilter.all().handler("mail");

        List<Function<Operator, Outcome>> wrong = List.of(
                on -> on.replay(NO_ID, "mail", true, REASON),
                on -> on.discard(NO_ID, "mail", REASON),
                on -> on.retry(NO_ID, "mail", REASON),
                on -> on.cancel(NO_ID, REASON),
                on -> on.replay(id, "", true, REASON),
                on -> on.discard(id, "", REASON),
                on -> on.retry(id, "", REASON),
                on -> on.replay(id, "mail ", true, REASON),
                on -> on.discard(id, "mail ", REASON),
                on -> on.retry(event.toString(), "mail ", REASON),
                on -> on.replay(id, "mail", true, tooLong),
                on -> on.discard(id, "mail", tooLong),
                on -> on.drop(new Drop("", true, null, 1, REASON)),
                on -> on.drop(new Drop("mail ", true, null, 1, REASON)),
                on -> on.drop(new Drop("mail", false, "order.placed", 1, REASON)),
                on -> on.drop(new Drop("mail", true, "", 1, REASON)),
                on -> on.drop(new Drop("mail", true, null, 0, REASON)),
                on -> on.drop(new Drop("mail", true, null, 1, tooLong)),
                on -> on.preview(new Drop("mail ", true, null, 1, REASON)),
                on -> on.preview(new Drop("mail", false, "*", 1, REASON)),
                on -> on.pause(Kind.HANDLER, "mail", tooLong),
                on -> on.pause(Kind.HANDLER, "", REASON),
                on -> on.pause(Kind.TYPE, "x".repeat(129), REASON),
                on -> on.pause(Kind.TYPE, "*", REASON),
                on -> on.pause(Kind.TYPE, "order.*", REASON),
                on -> on.pause(Kind.HANDLER, "orders/mail", REASON),
                on -> on.pause(Kind.HANDLER, "mail\nforged", REASON),
                on -> on.pause(Kind.HANDLER, "mail ", REASON),
                on -> on.resume(Kind.TYPE, "", REASON),
                on -> on.resume(Kind.TYPE, "order.* ", REASON),
                on -> on.resume(Kind.HANDLER, "mail ", REASON),
                on -> on.start(new Bulk(BulkRequest.Kind.REPLAY, null, true, 1, REASON)),
                on -> on.start(new Bulk(BulkRequest.Kind.DISCARD, null, false, 1, REASON)),
                on -> on.start(new Bulk(BulkRequest.Kind.DISCARD, mail, false, 0, REASON)),
                on -> on.start(new Bulk(BulkRequest.Kind.DISCARD, mail, false, 1001, REASON)),
                on -> on.start(new Bulk(BulkRequest.Kind.DISCARD, mail, false, 1, tooLong)),
                on -> on.start(new Bulk(BulkRequest.Kind.DISCARD, ENDS_BEFORE_IT_BEGINS, false, 1, REASON)),
                on -> on.start(new Bulk(BulkRequest.Kind.REPLAY, ENDS_AS_IT_BEGINS, true, 1, REASON)),
                on -> on.start(new Bulk(BulkRequest.Kind.RETRY, null, false, 1, REASON)),
                on -> on.start(new Bulk(BulkRequest.Kind.RETRY, mail, false, 0, REASON)),
                on -> on.start(new Bulk(BulkRequest.Kind.RETRY, mail, true, 1, REASON)),
                on -> on.start(new Bulk(BulkRequest.Kind.RETRY, mail, false, 1, tooLong)),
                on -> on.start(new Bulk(BulkRequest.Kind.RETRY, mail.onlyBlocking(), false, 1, REASON)),
                on -> on.start(new Bulk(BulkRequest.Kind.RETRY, mail.message(event), false, 1, REASON)),
                on -> on.start(new Bulk(BulkRequest.Kind.RETRY, ENDS_AS_IT_BEGINS, false, 1, REASON)));
        for (int i = 0; i < wrong.size(); i++) {
            assertThat(wrong.get(i).apply(operator())).as("number " + i).isEqualTo(Outcome.WRONG);
        }
        nodesWork();
        assertThat(tables().counts()).isEqualTo(before);
        assertThat(tables().texts("SELECT handler FROM outbox_handler WHERE retired = 1"))
                .isEmpty();
        assertThat(audit()).isEmpty();
    }

    @Test
    default void a_list_with_a_wrong_argument_is_refused() throws SQLException {
        tables().dead("order.placed", "1", "mail", "down");
        WaitingFilter waiting = WaitingFilter.in(WaitingState.WAITING);

        List<ThrowingCallable> wrong = List.of(
                () -> operator().event(NO_ID),
                () -> operator().operation(NO_ID),
                () -> operator().deadLetters(DeadLetterFilter.all(), null, 0),
                () -> operator().deadLetters(DeadLetterFilter.all(), "forged", 1),
                () -> operator().deadLetters(ENDS_BEFORE_IT_BEGINS, null, 1),
                () -> operator().preview(ENDS_AS_IT_BEGINS),
                () -> operator().failures(ENDS_AS_IT_BEGINS),
                () -> operator().waiting(waiting, null, 0),
                () -> operator().waiting(waiting, "forged", 1),
                () -> operator().audit(null, 0),
                () -> operator().audit("forged", 1));
        for (int i = 0; i < wrong.size(); i++) {
            assertThatIllegalArgumentException().as("number " + i).isThrownBy(wrong.get(i));
        }
    }

    /** Taken for one of its own, it would lead to an empty last page. */
    @Test
    default void a_list_refuses_the_position_of_another() throws SQLException {
        tables().alsoDead(tables().dead("order.placed", "1", "mail", "down"), "ship");
        tables().run("UPDATE outbox_dead SET died_at = 1795255322000000");
        tables().alsoWaiting(tables().waiting("order.placed", "2", "mail"), "2", "ship");
        operator().pause(Kind.TYPE, "order.placed", REASON);
        operator().pause(Kind.TYPE, "order.shipped", REASON);
        WaitingFilter waiting = WaitingFilter.in(WaitingState.WAITING);
        String ofDead = operator().deadLetters(DeadLetterFilter.all(), null, 1).next();
        String ofWaiting = operator().waiting(waiting, null, 1).next();
        String ofAudit = operator().audit(null, 1).next();

        List<ThrowingCallable> wrong = List.of(
                () -> operator().deadLetters(DeadLetterFilter.all(), ofWaiting, 1),
                () -> operator().deadLetters(DeadLetterFilter.all(), ofAudit, 1),
                () -> operator().waiting(waiting, ofDead, 1),
                () -> operator().waiting(waiting, ofAudit, 1),
                () -> operator().audit(ofDead, 1),
                () -> operator().audit(ofWaiting, 1));
        for (int i = 0; i < wrong.size(); i++) {
            assertThatIllegalArgumentException().as("number " + i).isThrownBy(wrong.get(i));
        }
    }
}
