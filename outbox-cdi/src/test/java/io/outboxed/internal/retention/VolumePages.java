package io.outboxed.internal.retention;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters.Filter;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingState;
import io.outboxed.internal.operations.OutboxOperations;
import io.outboxed.internal.store.DeadLetterKey;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
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
        DeadLetterKey fiveDaysBack =
                new DeadLetterKey(ChronoUnit.MICROS.between(Instant.EPOCH, now.minus(hours(120))), new UUID(0, 0), "");
        Map<String, Filter> filters = new LinkedHashMap<>();
        filters.put("one handler in a hundred", all.handler("Mailer7"));
        filters.put("a handler that has none", all.handler("Nobody"));
        filters.put("one type in a hundred", all.type("order.type7"));
        filters.put("a type that has none", all.type("order.none"));
        filters.put("one aggregate in a thousand", all.aggregate("order", "o-7"));
        filters.put("an aggregate that has none", all.aggregate("order", "none"));
        filters.forEach((which, filter) -> {
            time("dead letters of " + which, () -> find(filter));
            time(
                    "dead letters of " + which + ", a page five days back",
                    () -> operations.deadLetters().find(filter, fiveDaysBack, PAGE));
            time(
                    "count of the dead letters of " + which,
                    () -> operations.deadLetters().count(filter));
        });
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
        time("dead letters with a part of an error that none has: reads all", () -> find(all.error("none")));
        for (WaitingState state : WaitingState.values()) {
            time(
                    "list " + state.name().toLowerCase(Locale.ROOT),
                    () -> operations.messages().page(WaitingFilter.in(state), null, PAGE));
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
