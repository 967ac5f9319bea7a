package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.DeadLetters;
import io.outboxed.OutboxException;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.ReplayResult;
import io.outboxed.internal.metrics.RecordingBackend;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The bean that applications inject; its queries are part of the store's contract. */
class DeadLettersTest {
    private final Deployment deployment = Deployment.of();
    private DeadLetters letters;

    @BeforeEach
    void inject() {
        letters = deployment.get(DeadLetters.class);
    }

    @AfterEach
    void stop() {
        deployment.close();
    }

    @Test
    void what_no_page_has_returned_is_refused() {
        for (String after :
                List.of("", "7", "7_x_Shop.ship", "7_1-1-1-1-1_Shop.ship", "+7_" + UUID.randomUUID() + "_A")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> letters.find(DeadLetterFilter.all(), after, 10))
                    .withMessageContaining("Page.next()");
        }
    }

    @Test
    void numbers_out_of_their_range_and_null_are_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> letters.find(DeadLetterFilter.all(), null, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> letters.find(DeadLetterFilter.all(), null, 1001));
        assertThatIllegalArgumentException().isThrownBy(() -> letters.replay(DeadLetterFilter.all(), 0, true));
        assertThatIllegalArgumentException().isThrownBy(() -> letters.discard(DeadLetterFilter.all(), -1));
        assertThatNullPointerException().isThrownBy(() -> letters.find(null, null, 1));
        assertThatNullPointerException().isThrownBy(() -> letters.count(null));
        assertThatNullPointerException().isThrownBy(() -> letters.replay(null, "A", true));
        assertThatNullPointerException().isThrownBy(() -> letters.get(UUID.randomUUID(), null));
    }

    @Test
    void each_discarded_dead_letter_is_counted_and_a_replayed_one_is_not() {
        UUID one = deployment.deadLetter("Shop.ship", "o-1");
        deployment.deadLetter("Shop.ship", "o-2");
        deployment.deadLetter("Shop.mail", "o-3");
        deployment.deadLetter("Shop.mail", "o-4");

        assertThat(letters.discard(one, "Shop.ship")).isTrue();
        assertThat(letters.discard(one, "Shop.ship")).isFalse();
        assertThat(letters.discard(DeadLetterFilter.all().aggregate("order", "o-2"), 10))
                .isEqualTo(1);
        assertThat(letters.replay(DeadLetterFilter.all(), 1, true)).isEqualTo(1);
        assertThat(letters.discard(DeadLetterFilter.all(), 10)).isEqualTo(1);
        RecordingBackend figures = deployment.get(RecordingBackend.class);
        assertThat(figures.count("outbox.dead.letters.discarded{handler=Shop.ship}"))
                .isEqualTo(2);
        assertThat(figures.count("outbox.dead.letters.discarded{handler=Shop.mail}"))
                .isEqualTo(1);
    }

    @Test
    void what_would_come_behind_newer_events_is_replayed_only_if_the_caller_allows_it() {
        UUID id = deployment.deadLetter("Shop.ship", "o-1");

        assertThat(letters.replay(id, "Shop.ship", false)).isEqualTo(ReplayResult.WOULD_REORDER);
        assertThat(letters.replay(DeadLetterFilter.all(), 10, false)).isZero();
        assertThat(letters.get(id, "Shop.ship")).isPresent();
        assertThat(letters.replay(DeadLetterFilter.all(), 10, true)).isEqualTo(1);
        assertThat(letters.replay(id, "Shop.ship", true)).isEqualTo(ReplayResult.NOT_FOUND);
    }

    @Test
    void a_transaction_of_the_caller_takes_no_part() throws Exception {
        UUID id = deployment.deadLetter("Shop.ship", "o-1");
        NarayanaTransactions.MANAGER.begin();
        try {
            assertThat(letters.replay(id, "Shop.ship", true)).isEqualTo(ReplayResult.REPLAYED);
            assertThat(letters.count(DeadLetterFilter.all())).isZero();
        } finally {
            NarayanaTransactions.MANAGER.rollback();
        }
        assertThat(letters.get(id, "Shop.ship")).isEmpty();
        assertThat(deployment.database().committed("SELECT only_handler FROM outbox_message"))
                .containsExactly("Shop.ship");
    }

    @Test
    void a_database_that_fails_is_reported_by_code() {
        UUID id = deployment.deadLetter("Shop.ship", "o-1");
        assertThat(letters.get(id, "Shop.ship")).isPresent();
        deployment.database().update("DROP TABLE outbox_dead");

        assertThatThrownBy(() -> letters.replay(id, "Shop.ship", true))
                .isInstanceOfSatisfying(
                        OutboxException.class, e -> assertThat(e.code()).isEqualTo("OUTBOX-0443"))
                .hasMessageContaining("outbox_dead");
    }
}
