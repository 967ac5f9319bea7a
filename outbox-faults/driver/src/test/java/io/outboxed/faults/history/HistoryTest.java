package io.outboxed.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.faults.history.Facts.Effect;
import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Facts.Letter;
import io.outboxed.faults.history.Findings.Kind;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that was kept is judged as it was judged at its end. */
class HistoryTest extends SmallHistory {

    @TempDir
    Path directory;

    @Test
    void what_is_read_again_is_judged_like_what_was_written() {
        committed(4);
        couriers(1, 3, 2, 2);
        committed.put("id-4", new Event("id-4", "L1", 4, "CONDEMNED", "withdrawn", 2, 5, 6));
        letters.add(new Letter("id-4", "Courier.withdrawn", "condemned\tby\na test"));
        replayed.add(new Letter("id-1", "Ledger.deposited", "its node died each time it ran"));
        calls.add(new Call("node-1", "Ledger", "id-1", "L1", 1, 1, micros(900), Call.NEVER, false));
        operations.add(new BulkOperation(BulkOperation.Kind.RETRY, 7, Long.MAX_VALUE, 3));
        operations.add(new BulkOperation(BulkOperation.Kind.DISCARD, 8, 9, 1));
        committed.put("id-5", new Event("id-5", "L1", 5, "POISON", 5, 6));
        effects.add(new Effect("id-5", "L1", 5));
        discardable.add("Courier id-5");
        outages.add("node-1", Outages.FROZEN, micros(50_000), micros(70_000));
        outages.disturb("node-2", "slow");
        lockSessions = true;
        requests.answered().add("lost");
        requests.done().put("twice", 2L);
        receipts.put("id-1", 2L);
        seen = 3;

        history().write(directory);

        Map<Kind, Integer> again = counts(History.read(directory));
        assertThat(again).isEqualTo(counts(history()));
        assertThat(History.read(directory).facts().operations()).isEqualTo(operations);
        assertThat(again)
                .containsEntry(Kind.DEAD_OF_CRASHES, 1)
                .containsEntry(Kind.DISCARDED, 1)
                .containsKeys(Kind.REORDERED, Kind.REQUEST_LOST, Kind.REQUEST_DOUBLED)
                .containsKeys(Kind.RECEIPT_DOUBLED);
    }

    private Map<Kind, Integer> counts(History history) {
        Findings findings = history.judge(calls);
        return Arrays.stream(Kind.values())
                .filter(kind -> findings.count(kind) > 0)
                .collect(Collectors.toMap(kind -> kind, findings::count));
    }
}
