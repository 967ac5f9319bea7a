package io.outboxed.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Remains.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RemainsTest {
    private final List<Message> messages = new ArrayList<>();

    @Test
    void what_waits_for_the_courier_behind_poison_is_not_promised() {
        add(7, "POISON", "Courier");
        add(7, "NONE", "Courier");
        add(7, "CONDEMNED", "Courier");
        assertThat(remains().unexpected()).isZero();
        assertThat(remains().behindPoison()).isEqualTo(3);
        assertThat(remains().isEmpty()).isFalse();
    }

    @Test
    void an_aggregate_that_does_not_begin_with_poison_must_not_wait() {
        add(7, "NONE", "Courier");
        add(7, "POISON", "Courier");
        add(8, "CONDEMNED", "Courier");
        assertThat(remains().unexpected()).isEqualTo(3);
        assertThat(remains().behindPoison()).isZero();
    }

    @Test
    void other_handlers_do_not_wait_behind_the_poison_of_the_courier() {
        add(7, "POISON", "Courier", "Ledger");
        add(7, "NONE", "Courier", "Auditor");
        add(7, "NONE", "Courier");
        assertThat(remains().unexpected()).isEqualTo(2);
        assertThat(remains().behindPoison()).isEqualTo(1);
    }

    @Test
    void an_event_that_only_another_handler_needs_still_may_come_before_the_poison() {
        add(7, "NONE", "Ledger");
        add(7, "POISON", "Courier");
        add(8, "NONE", "Courier");
        assertThat(remains().behindPoison()).isEqualTo(1);
        assertThat(remains().unexpected()).isEqualTo(2);
    }

    @Test
    void of_a_split_message_only_the_beans_with_a_row_wait() {
        Event event = new Event("id", "L7", 1, "NONE", 0, 0);
        int ready = 0;
        int split = 3;

        assertThat(Remains.waiting(ready, null, event, Set.of(), Set.of())).contains("Courier", "Ledger");
        assertThat(Remains.waiting(ready, "Courier", event, Set.of(), Set.of())).containsExactly("Courier");
        assertThat(Remains.waiting(split, null, event, Set.of(), Set.of("Courier")))
                .containsExactly("Courier");
        assertThat(Remains.waiting(split, null, event, Set.of("Ledger"), Set.of("Courier")))
                .containsExactly("Courier");
    }

    @Test
    void what_is_not_known_and_what_no_message_needs_must_not_be_left() {
        messages.add(new Message(7, null, Set.of()));
        assertThat(new Remains(messages, 2).unexpected()).isEqualTo(3);
        assertThat(new Remains(List.of(), 1).isEmpty()).isFalse();
        assertThat(new Remains(List.of(), 0).isEmpty()).isTrue();
    }

    @Test
    void an_event_that_was_committed_after_the_events_were_read_is_recognised() {
        add(7, "POISON", "Courier");
        assertThat(remains().hasUnknown()).isFalse();
        messages.add(new Message(7, null, Set.of("Courier")));
        assertThat(remains().hasUnknown()).isTrue();
    }

    @Test
    void of_the_last_looks_the_one_that_saw_the_fewest_left_counts() {
        LastLooks looks = new LastLooks();
        looks.add(new Remains(List.of(), 3));
        looks.add(new Remains(List.of(), 1));
        Remains least = new Remains(List.of(), 1);
        looks.add(least);
        looks.add(new Remains(List.of(), 2));
        assertThat(looks.least()).as("the latest of these").isSameAs(least);
        for (int i = 0; i < LastLooks.KEPT; i++) {
            looks.add(new Remains(List.of(), 4));
        }
        assertThat(looks.least().unexpected()).isEqualTo(4);
    }

    private Remains remains() {
        return new Remains(messages, 0);
    }

    private void add(long lane, String fault, String... waiting) {
        String id = "id-" + messages.size();
        messages.add(new Message(lane, new Event(id, "L" + lane, messages.size(), fault, 0, 0), Set.of(waiting)));
    }
}
