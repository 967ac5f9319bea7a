package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.OutboxException;
import io.outboxed.PublishOptions;
import jakarta.transaction.Synchronization;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InboxRowsTest {
    private final CaptureFixture capture = new CaptureFixture();
    private final InboxRows rows = capture.outbox.inbox;

    @BeforeEach
    void begin() {
        capture.transaction.begin();
    }

    @Test
    void only_the_first_call_of_a_receiver_for_a_message_is_the_first() {
        assertThat(rows.isFirstCall("mails", "1")).isTrue();
        assertThat(rows.isFirstCall("mails", "1")).isFalse();
        assertThat(rows.isFirstCall("mails", "2")).isTrue();
        assertThat(rows.isFirstCall("accounts", "1")).isTrue();
    }

    @Test
    void a_publish_key_returns_the_id_of_its_first_event() {
        UUID first = UUID.randomUUID();
        UUID other = UUID.randomUUID();

        assertThat(rows.first("paid", "1", first)).isEqualTo(first);
        assertThat(rows.first("paid", "1", other)).isEqualTo(first);
        assertThat(rows.first("billed", "1", other)).isEqualTo(other);
    }

    @Test
    void a_row_that_can_not_be_written_marks_the_transaction_for_rollback() {
        IllegalStateException deadlock = new IllegalStateException("deadlock");
        capture.onClaim = () -> {
            throw deadlock;
        };

        assertThatThrownBy(() -> rows.isFirstCall("mails", "1"))
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0143 the inbox row of mails could not be written")
                .hasCause(deadlock);
        assertThat(capture.transaction.getRollbackOnly()).isTrue();
    }

    @Test
    void a_transaction_that_has_silently_lost_its_row_does_not_commit() {
        rows.isFirstCall("mails", "1");
        rows.isFirstCall("mails", "2");
        capture.firstCalls.clear();

        assertThatThrownBy(capture.transaction::commit)
                .isInstanceOf(OutboxException.class)
                .hasMessageStartingWith("OUTBOX-0148 the inbox row of mails is gone before the end of the transaction");
    }

    @Test
    void nor_does_one_that_has_lost_only_a_later_row_by_a_savepoint() {
        rows.isFirstCall("mails", "1");
        rows.isFirstCall("accounts", "1");
        capture.firstCalls.remove("accounts 1");

        assertThatThrownBy(capture.transaction::commit)
                .hasMessageStartingWith("OUTBOX-0148 the inbox row of accounts is gone");
    }

    @Test
    void nor_does_one_that_a_later_synchronization_has_rolled_back_in_the_database() {
        rows.isFirstCall("mails", "1");
        capture.transaction.registerInterposedSynchronization(before(capture.firstCalls::clear));

        assertThatThrownBy(capture.transaction::commit)
                .hasMessageStartingWith("OUTBOX-0148 the inbox row of mails is gone");
    }

    @Test
    void nor_does_one_whose_row_was_inserted_after_the_others_were_looked_for() {
        rows.isFirstCall("mails", "1");
        capture.transaction.registerInterposedSynchronization(before(() ->
                // after the last of those that are registered by now
                capture.transaction.registerInterposedSynchronization(before(() -> {
                    rows.isFirstCall("accounts", "1");
                    capture.firstCalls.remove("accounts 1");
                }))));

        assertThatThrownBy(capture.transaction::commit)
                .hasMessageStartingWith("OUTBOX-0148 the inbox row of accounts is gone");
    }

    private static Synchronization before(Runnable completion) {
        return new Synchronization() {
            @Override
            public void beforeCompletion() {
                completion.run();
            }

            @Override
            public void afterCompletion(int status) {}
        };
    }

    @Test
    void only_rows_that_the_transaction_has_inserted_are_looked_for_at_its_end() {
        rows.isFirstCall("mails", "1");
        capture.transaction.commit();
        capture.transaction.begin();
        rows.isFirstCall("mails", "1");
        capture.firstCalls.clear();

        assertThatCode(capture.transaction::commit).doesNotThrowAnyException();
    }

    @Test
    void texts_that_databases_do_not_store_or_distinguish_are_rejected() {
        for (String text : List.of("", "x".repeat(256), "x ")) {
            assertThatThrownBy(() -> rows.isFirstCall("mails", text)).hasMessageStartingWith("OUTBOX-0142");
            assertThatThrownBy(() -> rows.isFirstCall(text, "1")).hasMessageStartingWith("OUTBOX-0142");
            assertThatThrownBy(() -> rows.first("paid", text, UUID.randomUUID()))
                    .hasMessageStartingWith("OUTBOX-0142");
        }
        assertThatThrownBy(() -> rows.isFirstCall("mails", "a\u0000")).hasMessageStartingWith("OUTBOX-0111");
        assertThatThrownBy(() -> rows.isFirstCall("publish:paid", "1")).hasMessageStartingWith("OUTBOX-0142");
        assertThat(capture.firstCalls).isEmpty();
        assertThat(capture.transaction.getRollbackOnly())
                .as("the caller may continue")
                .isFalse();
    }

    @Test
    void without_a_key_publish_writes_nothing_to_the_inbox() {
        capture.outbox.publish("{}", PublishOptions.none().type("paid"));

        assertThat(capture.firstCalls).isEmpty();
    }
}
