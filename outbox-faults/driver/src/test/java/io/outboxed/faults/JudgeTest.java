package io.outboxed.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.faults.history.Facts;
import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.History;
import io.outboxed.faults.history.Outages;
import io.outboxed.faults.history.Requests;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JudgeTest {

    @TempDir
    Path directory;

    @Test
    void a_history_has_each_kind_of_transaction_that_it_can_show() {
        Map<String, Event> committed = new HashMap<>();
        committed.put("locked", event("locked", "L1", 2, "deposited", 1));
        committed.put("versioned", event("versioned", "V1", 2, "withdrawn", 1));
        committed.put("bulk", event("bulk", "L1", 4, "withdrawn", 1));
        assertThat(Judge.hasEachKind(history(committed, Set.of()))).isFalse();
        committed.put("reminder", event("reminder", "", 0, "reminder", 1));
        assertThat(Judge.hasEachKind(history(committed, Set.of())))
                .as("neither requests, as in old ones, nor the next version")
                .isTrue();
        committed.put("next", event("next", "V1", 3, "deposited", 2));
        assertThat(Judge.hasEachKind(history(committed, Set.of()))).isFalse();
        committed.put("transfer", event("transfer", "L1", 5, "transferred", 2));
        assertThat(Judge.hasEachKind(history(committed, Set.of("request")))).isTrue();
    }

    private static Event event(String id, String account, long number, String type, int version) {
        return new Event(id, account, number, "NONE", type, version, 0, 0);
    }

    private static History history(Map<String, Event> committed, Set<String> answered) {
        return new History(
                new Facts(committed, List.of(), Map.of(), Map.of(), List.of()),
                new Requests(Map.of(), answered),
                new Outages(),
                List.of(),
                List.of(),
                Set.of(),
                false);
    }

    @Test
    void a_run_in_which_nothing_happened_is_not_taken_for_a_good_one() {
        history(Map.of(), Set.of()).write(directory);

        assertThat(Judge.judge(directory)).isFalse();
    }
}
