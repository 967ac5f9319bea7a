package io.outboxed.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.faults.history.Facts.Event;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WriterKindTest {
    private final Map<String, Event> committed = new LinkedHashMap<>();

    @Test
    void events_that_several_kinds_of_transactions_write_show_none_of_them() {
        add("L1", 1, "deposited");
        assertThat(kinds())
                .hasSize(WriterKind.values().length)
                .containsValue(0L)
                .doesNotContainValue(1L);
    }

    @Test
    void each_kind_is_told_by_the_events_that_only_it_writes() {
        add("L1", 2, "deposited");
        add("V1", 1, "deposited");
        add("V1", 2, "withdrawn");
        add("L1", 4, "withdrawn");
        add("L1", 3, "transferred");
        add("", 0, "reminder");
        assertThat(kinds())
                .isEqualTo(Map.of(
                        WriterKind.LOCKED, 1L,
                        WriterKind.VERSIONED, 2L,
                        WriterKind.BULK, 1L,
                        WriterKind.TRANSFER, 1L,
                        WriterKind.REMINDER, 1L));
    }

    private Map<WriterKind, Long> kinds() {
        return WriterKind.committed(new Facts(committed, List.of(), Map.of(), Map.of(), List.of()));
    }

    private void add(String account, long number, String type) {
        String id = "id-" + committed.size();
        committed.put(id, new Event(id, account, number, "NONE", type, 1, 0, 0));
    }
}
