package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.DeadLetters.Filter;
import io.outboxed.DeadLetters.Page;
import io.outboxed.OutboxException;
import io.outboxed.internal.metrics.RecordingBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
    void the_text_of_a_page_leads_to_the_next_one_and_the_last_page_has_none() {
        Set<String> expected = new TreeSet<>();
        for (int i = 0; i < 4; i++) {
            expected.add(deployment
                    .deadLetter("Shop.a_handler_of_many_words", "o-" + i)
                    .toString());
        }
        List<Integer> sizes = new ArrayList<>();
        Set<String> found = new TreeSet<>();
        String after = null;
        do {
            Page page = letters.find(Filter.all(), after, 2);
            sizes.add(page.letters().size());
            page.letters().forEach(letter -> found.add(letter.messageId().toString()));
            after = page.next();
        } while (after != null);

        assertThat(found).isEqualTo(expected);
        assertThat(sizes).containsExactly(2, 2);
    }

    @Test
    void paging_continues_behind_a_dead_letter_that_is_gone() {
        for (int i = 0; i < 3; i++) {
            deployment.deadLetter("Shop.ship", "o-" + i);
        }
        Page first = letters.find(Filter.all(), null, 1);
        DeadLetter last = first.letters().get(0);
        assertThat(letters.discard(last.messageId(), last.handler())).isTrue();

        assertThat(letters.find(Filter.all(), first.next(), 10).letters())
                .hasSize(2)
                .doesNotContain(last);
    }

    @Test
    void what_no_page_has_returned_is_refused() {
        for (String after :
                List.of("", "7", "7_x_Shop.ship", "7_1-1-1-1-1_Shop.ship", "+7_" + UUID.randomUUID() + "_A")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> letters.find(Filter.all(), after, 10))
                    .withMessageContaining("Page.next()");
        }
    }

    @Test
    void numbers_out_of_their_range_and_null_are_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> letters.find(Filter.all(), null, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> letters.find(Filter.all(), null, 1001));
        assertThatIllegalArgumentException().isThrownBy(() -> letters.replay(Filter.all(), 0));
        assertThatIllegalArgumentException().isThrownBy(() -> letters.discard(Filter.all(), -1));
        assertThatNullPointerException().isThrownBy(() -> letters.find(null, null, 1));
        assertThatNullPointerException().isThrownBy(() -> letters.count(null));
        assertThatNullPointerException().isThrownBy(() -> letters.replay(null, "A"));
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
        assertThat(letters.discard(Filter.all().aggregate("order", "o-2"), 10)).isEqualTo(1);
        assertThat(letters.replay(Filter.all(), 1)).isEqualTo(1);
        assertThat(letters.discard(Filter.all(), 10)).isEqualTo(1);
        RecordingBackend figures = deployment.get(RecordingBackend.class);
        assertThat(figures.count("outbox.dead.letters.discarded{handler=Shop.ship}"))
                .isEqualTo(2);
        assertThat(figures.count("outbox.dead.letters.discarded{handler=Shop.mail}"))
                .isEqualTo(1);
    }

    @Test
    void a_transaction_of_the_caller_takes_no_part() throws Exception {
        UUID id = deployment.deadLetter("Shop.ship", "o-1");
        NarayanaTransactions.MANAGER.begin();
        try {
            assertThat(letters.replay(id, "Shop.ship")).isTrue();
            assertThat(letters.count(Filter.all())).isZero();
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

        assertThatThrownBy(() -> letters.replay(id, "Shop.ship"))
                .isInstanceOfSatisfying(
                        OutboxException.class, e -> assertThat(e.code()).isEqualTo("OUTBOX-0443"))
                .hasMessageContaining("outbox_dead");
    }
}
