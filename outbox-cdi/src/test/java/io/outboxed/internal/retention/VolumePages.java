package io.outboxed.internal.retention;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters.Filter;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingState;
import io.outboxed.internal.operations.OutboxOperations;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** What operators look at: each page's median time of five. */
final class VolumePages {
    private static final int PAGE = 100;
    private static final int TIMES = 5;

    private final OutboxOperations operations;
    private final Map<String, Double> millis = new LinkedHashMap<>();

    private VolumePages(OutboxOperations operations) {
        this.operations = operations;
    }

    /** By name, in milliseconds. */
    static Map<String, Double> times(OutboxOperations operations) {
        VolumePages pages = new VolumePages(operations);
        pages.measure();
        return pages.millis;
    }

    private void measure() {
        Instant now = Instant.now();
        Filter all = Filter.all();
        List<DeadLetter> oldest = operations.deadLetters().find(all.diedUntil(now.minus(hours(239))), null, PAGE);
        UUID some = oldest.isEmpty() ? UUID.randomUUID() : oldest.get(0).messageId();
        time("status", operations::status);
        time("dead letters, first page", () -> find(all));
        time("dead letters, a page nine days back", () -> find(all.diedUntil(now.minus(hours(216)))));
        time("dead letters, the oldest page", () -> find(all.diedUntil(now.minus(hours(239)))));
        time("dead letters of one handler in a hundred", () -> find(all.handler("Mailer7")));
        time(
                "dead letters of one hour",
                () -> find(all.diedSince(now.minus(hours(50))).diedUntil(now.minus(hours(49)))));
        time("dead letters of an event", () -> find(all.message(some)));
        time(
                "count of all dead letters, up to a million",
                () -> operations.deadLetters().count(all));
        time(
                "count of the dead letters of one hour",
                () -> operations
                        .deadLetters()
                        .count(all.diedSince(now.minus(hours(50))).diedUntil(now.minus(hours(49)))));
        time("dead letters of a handler that has none: reads all", () -> find(all.handler("Nobody")));
        for (WaitingState state : WaitingState.values()) {
            time(
                    "list " + state.name().toLowerCase(Locale.ROOT),
                    () -> operations.messages().list(WaitingFilter.in(state), null, PAGE));
        }
        time("show an event", () -> operations.event(some));
    }

    private static Duration hours(int hours) {
        return Duration.ofHours(hours);
    }

    private List<DeadLetter> find(Filter filter) {
        return operations.deadLetters().find(filter, null, PAGE);
    }

    private void time(String page, Runnable work) {
        double[] times = new double[TIMES];
        for (int i = 0; i < TIMES; i++) {
            long startedAt = System.nanoTime();
            work.run();
            times[i] = (System.nanoTime() - startedAt) / 1e6;
        }
        Arrays.sort(times);
        millis.put(page, times[TIMES / 2]);
    }
}
