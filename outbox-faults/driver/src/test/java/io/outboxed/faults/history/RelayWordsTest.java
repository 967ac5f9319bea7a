package io.outboxed.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.faults.history.Facts.Letter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The checks know a dead letter's reason by words that the relay uses: in other words, they would excuse nothing. */
class RelayWordsTest {
    private static final String WRITER = "/io/outboxed/internal/relay/loop/HandlerSelection.class";

    @Test
    void the_relay_says_that_a_node_died_and_that_an_attempt_has_no_outcome() throws IOException {
        try (InputStream writer = getClass().getResourceAsStream(WRITER)) {
            assertThat(new String(writer.readAllBytes(), StandardCharsets.ISO_8859_1))
                    .contains(Letter.NODE_DIED, Letter.NO_OUTCOME);
        }
    }

    @Test
    void a_letter_with_these_words_is_known() {
        String error =
                "the last of 4 attempts ended without an outcome: its node died, unless max-attempts was lowered";
        Letter letter = new Letter("id-1", "Courier.deposited", error);

        assertThat(letter.saysThatItsLastAttemptDidNotEnd()).isTrue();
        assertThat(letter.blamesCrashes()).isTrue();
        assertThat(new Letter("id-1", "Courier.deposited", "poison").saysThatItsLastAttemptDidNotEnd())
                .isFalse();
    }
}
