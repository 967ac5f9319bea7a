package io.outboxed.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.DeadLetter;
import io.outboxed.admin.AuditEntry;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.PauseTarget;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingState;
import io.outboxed.operator.Operator.Page;
import io.outboxed.operator.Operator.Waiting;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Pages give each row once, whatever is added or removed in between. */
interface PagesContract extends OperatorFixture {

    /** Reads one page of two rows. */
    interface Pages<T> {
        Page<T> after(String position);
    }

    /** Comes between two pages. */
    interface Change<T> {
        void after(T lastRow) throws SQLException;
    }

    private static <T> List<T> read(Pages<T> pages, Change<T> change) throws SQLException {
        List<T> rows = new ArrayList<>();
        String after = null;
        do {
            Page<T> page = pages.after(after);
            assertThat(page.rows()).hasSizeBetween(1, 2);
            rows.addAll(page.rows());
            change.after(rows.get(rows.size() - 1));
            after = page.next();
        } while (after != null);
        return rows;
    }

    @Test
    default void pages_of_dead_letters_give_each_one_once() throws SQLException {
        List<UUID> newestFirst = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            newestFirst.add(0, tables().dead("order.placed", "" + i, "mail", "down"));
        }

        List<DeadLetter> read =
                read(position -> operator().deadLetters(DeadLetterFilter.all().handler("mail"), position, 2), last -> {
                    tables().run("DELETE FROM outbox_dead WHERE message_id = ?", last.messageId());
                    tables().dead("order.placed", "later", "mail", "down");
                });
        assertThat(read).extracting(DeadLetter::messageId).isEqualTo(newestFirst);
        assertThat(tables().count("dead")).isEqualTo(5);
    }

    @Test
    default void pages_of_dead_letters_that_died_at_the_same_time_give_each_one_once() throws SQLException {
        for (int i = 0; i < 3; i++) {
            tables().alsoDead(tables().dead("order.placed", "" + i, "mail", "down"), "ship");
        }
        tables().run("UPDATE outbox_dead SET died_at = 7000000");

        List<DeadLetter> read =
                read(position -> operator().deadLetters(DeadLetterFilter.all(), position, 2), last -> {});
        assertThat(read).hasSize(6).doesNotHaveDuplicates();
    }

    @Test
    default void pages_of_what_waits_give_each_row_once() throws SQLException {
        List<UUID> oldestFirst = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            UUID id = tables().waiting("order.placed", "" + i, "mail");
            oldestFirst.addAll(List.of(id, id));
            tables().alsoWaiting(id, "" + i, "ship");
        }

        List<Waiting> read = read(
                position -> operator().waiting(WaitingFilter.in(WaitingState.WAITING), position, 2),
                last -> tables().run("DELETE FROM outbox_delivery WHERE message_id = ?", last.messageId()));
        assertThat(read).extracting(Waiting::messageId).isEqualTo(oldestFirst);
        assertThat(read).doesNotHaveDuplicates();
    }

    @Test
    default void pages_of_the_audit_give_each_row_once() throws SQLException {
        List<String> newestFirst = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            newestFirst.add("handler mail-" + i);
            operator().pause(PauseTarget.Kind.HANDLER, "mail-" + i, REASON);
            tables().run("UPDATE outbox_audit SET changed_at = ? WHERE target = ?", 1000 + i / 2, "handler mail-" + i);
        }
        Collections.reverse(newestFirst);

        List<AuditEntry> read = read(
                position -> operator().audit(position, 2),
                last -> operator().pause(PauseTarget.Kind.TYPE, "order." + last.id(), REASON));
        assertThat(read).extracting(AuditEntry::target).containsExactlyInAnyOrderElementsOf(newestFirst);
        assertThat(read).extracting(AuditEntry::at).isSortedAccordingTo(Collections.<Instant>reverseOrder());
    }
}
