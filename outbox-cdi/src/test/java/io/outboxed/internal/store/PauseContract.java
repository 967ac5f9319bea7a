package io.outboxed.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import io.outboxed.admin.AuditEntry;
import io.outboxed.admin.Pause;
import io.outboxed.admin.PauseTarget;
import io.outboxed.internal.operations.OutboxOperations;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a pause stores, and when it ends. */
interface PauseContract extends OperationsContract {

    @Test
    default void a_pause_of_a_kind_that_only_a_newer_version_knows_is_left_to_its_nodes() throws SQLException {
        jdbc().run("INSERT INTO outbox_pause (kind, name, paused_at, paused_by, reason)"
                + " VALUES (9, 'order/1', 1, 'alice', 'of a newer version')");
        try (OutboxOperations operations = operations()) {
            assertThat(store().handlers().pauses()).isEmpty();
            assertThat(operations.status().pauses()).isEmpty();
        } finally {
            jdbc().run("DELETE FROM outbox_pause");
        }
    }

    @Test
    default void a_pause_is_stored_once_with_who_and_why_until_it_is_resumed() {
        try (OutboxOperations operations = operations()) {
            PauseTarget mails = PauseTarget.handler("mail");
            assertThat(operations.pauses().pause(mails, ALICE)).isTrue();
            assertThat(operations.pauses().pause(mails, ALICE)).isFalse();
            assertThat(operations.pauses().pause(PauseTarget.type("mail"), ALICE))
                    .isTrue();
            assertThat(operations.pauses().pause(PauseTarget.everything(), ALICE))
                    .isTrue();
            assertThat(store().handlers().pauses())
                    .extracting(Pause::target, Pause::who, Pause::why)
                    .containsExactly(
                            tuple(PauseTarget.everything(), "alice", "mail server is down"),
                            tuple(PauseTarget.type("mail"), "alice", "mail server is down"),
                            tuple(mails, "alice", "mail server is down"));
            assertThat(operations.status().pauses())
                    .hasSize(3)
                    .allSatisfy(pause -> assertThat(Duration.between(
                                    pause.since(), operations.status().at()))
                            .isBetween(Duration.ZERO, Duration.ofMinutes(1)));

            assertThat(operations.pauses().resume(mails, ALICE)).isTrue();
            assertThat(operations.pauses().resume(mails, ALICE)).isFalse();
            assertThat(operations.pauses().inForce()).hasSize(2);
            assertThat(audit(operations))
                    .extracting(AuditEntry::action, AuditEntry::target, AuditEntry::attribution, AuditEntry::count)
                    .containsExactlyInAnyOrder(
                            tuple("pause", "handler mail", ALICE, 1L),
                            tuple("pause", "type mail", ALICE, 1L),
                            tuple("pause", "everything", ALICE, 1L),
                            tuple("resume", "handler mail", ALICE, 1L));
        }
    }

    @Test
    default void who_ends_the_pause_they_have_seen_ends_no_later_one() throws SQLException {
        try (OutboxOperations operations = operations()) {
            PauseTarget mails = PauseTarget.handler("mail");
            operations.pauses().pause(mails, ALICE);
            jdbc().run("UPDATE outbox_pause SET paused_at = paused_at - 1");
            Pause seen = operations.pauses().inForce().get(0);
            operations.pauses().resume(mails, ALICE);
            operations.pauses().pause(mails, ALICE);
            Pause later = operations.pauses().inForce().get(0);

            assertThat(operations.pauses().resume(seen, ALICE)).isFalse();
            assertThat(operations.pauses().inForce()).containsExactly(later);
            assertThat(operations.pauses().resume(later, ALICE)).isTrue();
            assertThat(operations.pauses().inForce()).isEmpty();
            assertThat(audit(operations))
                    .extracting(AuditEntry::action)
                    .containsExactlyInAnyOrder("pause", "resume", "pause", "resume");
        }
    }

    /** MySQL compares names without the spaces at their end. */
    @Test
    default void a_pause_of_nearly_the_same_name_that_covers_nothing_is_not_taken_for_the_handlers()
            throws SQLException {
        try (OutboxOperations operations = operations()) {
            PauseTarget mail = PauseTarget.handler("mail");
            operations.pauses().pause(mail, ALICE);
            jdbc().run("UPDATE outbox_pause SET name = 'mail '");

            assertThat(operations.pauses().pause(mail, ALICE)).isTrue();

            assertThat(operations.pauses().inForce()).extracting(Pause::target).contains(mail);
            assertThat(operations.pauses().pause(mail, ALICE)).isFalse();
        }
    }

    /** MySQL compares names without the spaces at their end. */
    @Test
    default void a_name_that_nothing_can_have_is_resumed_only_if_exactly_it_is_paused() throws SQLException {
        try (OutboxOperations operations = operations()) {
            operations.pauses().pause(PauseTarget.handler("mail"), ALICE);
            jdbc().run("INSERT INTO outbox_pause (kind, name, paused_at, paused_by, reason)"
                    + " SELECT kind, 'orders/mail', paused_at, paused_by, reason FROM outbox_pause");
            for (String name : List.of("mail ", "orders/mail ", "orders/mails")) {
                assertThatIllegalArgumentException()
                        .as(name)
                        .isThrownBy(() -> operations.pauses().resume(PauseTarget.handler(name), ALICE));
            }
            assertThat(operations.pauses().inForce()).hasSize(2);
            assertThat(operations.pauses().resume(PauseTarget.handler("orders/mail"), ALICE))
                    .isTrue();
            assertThat(operations.pauses().inForce())
                    .extracting(Pause::target)
                    .containsExactly(PauseTarget.handler("mail"));
        }
    }

    @Test
    default void of_operators_that_pause_the_same_at_once_one_succeeds() throws Exception {
        try (OutboxOperations operations = operations()) {
            List<CompletableFuture<Boolean>> calls = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                calls.add(JdbcContract.elsewhere(() -> operations.pauses().pause(PauseTarget.handler("mail"), ALICE)));
            }
            int paused = 0;
            for (CompletableFuture<Boolean> call : calls) {
                paused += JdbcContract.result(call) ? 1 : 0;
            }
            assertThat(paused).isOne();
            assertThat(audit(operations)).hasSize(1);
        }
    }
}
