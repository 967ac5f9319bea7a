package io.outboxed.internal.relay;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;

/** What each handler group has yet to see of each aggregate, in order. Not thread-safe. */
final class GroupOrder {
    /** Those at the front may be over. */
    private final Map<Seen, Deque<Duty>> order = new LinkedHashMap<>();
    /** What waits for the first handlers of its type, and has no place in the order yet. */
    private final Map<Seen, List<Duty>> early = new LinkedHashMap<>();

    private final Predicate<Duty> isOver;

    GroupOrder(Predicate<Duty> isOver) {
        this.isOver = isOver;
    }

    record Seen(String group, String aggregate) {}

    void addLast(Seen seen, Duty duty) {
        order.computeIfAbsent(seen, key -> new ArrayDeque<>()).addLast(duty);
    }

    void addEarly(Seen seen, Duty duty) {
        early.computeIfAbsent(seen, key -> new ArrayList<>()).add(duty);
    }

    /** Those that have no place yet, up to this number. */
    List<Duty> early(Seen seen, long number) {
        return early.getOrDefault(seen, List.of()).stream()
                .filter(duty -> duty.number <= number)
                .toList();
    }

    /** @return whether it gets its place only now */
    boolean adopt(Seen seen, Duty duty) {
        List<Duty> waiting = early.get(seen);
        if (waiting == null || !waiting.remove(duty)) {
            return false;
        }
        duty.adopted = true;
        List<Duty> all = new ArrayList<>(order.getOrDefault(seen, new ArrayDeque<>()));
        all.add(duty);
        all.sort(Comparator.comparingLong(each -> each.number));
        order.put(seen, new ArrayDeque<>(all));
        return true;
    }

    /** The first of each group and aggregate that is not over. */
    List<Duty> next() {
        List<Duty> next = new ArrayList<>();
        for (Deque<Duty> each : order.values()) {
            Duty first = first(each);
            if (first != null) {
                next.add(first);
            }
        }
        for (List<Duty> each : early.values()) {
            each.stream().filter(isOver.negate()).findFirst().ifPresent(next::add);
        }
        return next;
    }

    /**
     * @param together those of the same call do not count
     * @return the first one that is not over, or null
     */
    Duty first(Seen seen, List<UUID> together) {
        Deque<Duty> duties = order.getOrDefault(seen, new ArrayDeque<>());
        Duty first = first(duties);
        if (first == null || !together.contains(first.id)) {
            return first;
        }
        return duties.stream()
                .filter(isOver.negate().and(duty -> !together.contains(duty.id)))
                .findFirst()
                .orElse(null);
    }

    private Duty first(Deque<Duty> duties) {
        while (!duties.isEmpty() && isOver.test(duties.peekFirst())) {
            duties.pollFirst();
        }
        return duties.peekFirst();
    }
}
