package io.outboxed.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.DeadLetters;
import io.outboxed.cli.BulkChange.Preview;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplayCommandTest {
    private final ReplayCommand replay = new ReplayCommand(new ScriptedTerminal());

    @Test
    void of_counts_that_stopped_no_number_is_shown() {
        Preview capped = new Preview(DeadLetters.MAX_COUNT, DeadLetters.MAX_COUNT, 3, List.of());
        assertThat(replay.missingAcknowledgements(capped))
                .singleElement()
                .asString()
                .startsWith("pass --allow-reordering too: events may arrive after");
        assertThat(replay.consequences(capped).get(0)).startsWith("ORDER: those that did not hold up");
        replay.allowReordering = true;
        assertThat(replay.missingAcknowledgements(capped)).isEmpty();
    }

    @Test
    void events_that_keep_their_place_need_no_acknowledgement() {
        assertThat(replay.missingAcknowledgements(new Preview(2, 2, 0, List.of())))
                .isEmpty();
        assertThat(replay.missingAcknowledgements(new Preview(3, 2, 1, List.of())))
                .singleElement()
                .asString()
                .startsWith("pass --allow-reordering too: 1 event may arrive after");
    }

    @Test
    void events_without_an_aggregate_need_no_acknowledgement() {
        Preview preview = new Preview(3, 0, 0, List.of());

        assertThat(replay.missingAcknowledgements(preview)).isEmpty();
        assertThat(replay.consequences(preview)).containsExactly("3 have no aggregate, so there is no order to keep.");
    }
}
