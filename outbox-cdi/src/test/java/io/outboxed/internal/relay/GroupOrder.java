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
    private final Map<Seen, Deque<ExpectedDelivery>> order = new LinkedHashMap<>();
    /** What waits for the first handlers of its type, and has no place in the order yet. */
    private final Map<Seen, List<ExpectedDelivery>> early = new LinkedHashMap<>();

    private final Predicate<ExpectedDelivery> isOver;

    GroupOrder(Predicate<ExpectedDelivery> isOver) {
        this.isOver = isOver;
    }

    record Seen(String group, String aggregate) {}

    void addLast(Seen seen, ExpectedDelivery delivery) {
        order.computeIfAbsent(seen, key -> new ArrayDeque<>()).addLast(delivery);
    }

    void addEarly(Seen seen, ExpectedDelivery delivery) {
        early.computeIfAbsent(seen, key -> new ArrayList<>()).add(delivery);
    }

    /** Those that have no place yet, up to this number. */
    List<ExpectedDelivery> early(Seen seen, long number) {
        return early.getOrDefault(seen, List.of()).stream()
                .filter(delivery -> delivery.number <= number)
                .toList();
    }

    /** @return whether it gets its place only now */
    boolean adopt(Seen seen, ExpectedDelivery delivery) {
        List<ExpectedDelivery> waiting = early.get(seen);
        if (waiting == null || !waiting.remove(delivery)) {
            return false;
        }
        delivery.adopted = true;
        List<ExpectedDelivery> all = new ArrayList<>(order.getOrDefault(seen, new ArrayDeque<>()));
        all.add(delivery);
        all.sort(Comparator.comparingLong(each -> each.number));
        order.put(seen, new ArrayDeque<>(all));
        return true;
    }

    /** The first of each group and aggregate that is not over. */
    List<ExpectedDelivery> next() {
        List<ExpectedDelivery> next = new ArrayList<>();
        for (Deque<ExpectedDelivery> each : order.values()) {
            ExpectedDelivery first = first(each);
            if (first != null) {
                next.add(first);
            }
        }
        for (List<ExpectedDelivery> each : early.values()) {
            each.stream().filter(isOver.negate()).findFirst().ifPresent(next::add);
        }
        return next;
    }

    /**
     * @param together those of the same call do not count
     * @return the first one that is not over, or null
     */
    ExpectedDelivery first(Seen seen, List<UUID> together) {
        Deque<ExpectedDelivery> deliveries = order.getOrDefault(seen, new ArrayDeque<>());
        ExpectedDelivery first = first(deliveries);
        if (first == null || !together.contains(first.id)) {
            return first;
        }
        return deliveries.stream()
                .filter(isOver.negate().and(delivery -> !together.contains(delivery.id)))
                .findFirst()
                .orElse(null);
    }

    private ExpectedDelivery first(Deque<ExpectedDelivery> deliveries) {
        while (!deliveries.isEmpty() && isOver.test(deliveries.peekFirst())) {
            deliveries.pollFirst();
        }
        return deliveries.peekFirst();
    }
}
