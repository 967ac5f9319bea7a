package io.outboxed.internal.handlers;

import io.outboxed.OutboxException;
import io.outboxed.internal.capture.event.EventDescriptor;
import io.outboxed.internal.capture.event.EventTypes;
import io.outboxed.internal.log.OutboxLog;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Finds events of one handler group whose identity is called the same, but whose aggregate types differ: they look like
 * one aggregate, and have no common order. A member called just {@code id}, or inherited, says nothing about whose it
 * is, and who sets the type of an aggregate means it.
 */
final class SplitAggregates {
    private static final Set<String> SAY_NOTHING = Set.of("id", "getId");

    private SplitAggregates() {}

    static void warn(Collection<HandlerCandidate> handlers) {
        Map<GroupAndId, SortedMap<String, String>> classes = new TreeMap<>();
        for (HandlerCandidate handler : handlers) {
            descriptor(handler)
                    .ifPresent(event -> event.idOfImpliedAggregate()
                            .filter(id -> !SAY_NOTHING.contains(id))
                            .ifPresent(id -> classes.computeIfAbsent(
                                            new GroupAndId(handler.group(), id), any -> new TreeMap<>())
                                    .putIfAbsent(
                                            event.aggregateType(),
                                            event.eventClass().getName())));
        }
        classes.forEach((key, byType) -> {
            if (byType.size() > 1) {
                OutboxLog.noCommonOrder(key.group(), key.id(), byType);
            }
        });
    }

    /** Empty without a class, and for one whose declarations contradict each other: publishing tells that. */
    private static Optional<EventDescriptor> descriptor(HandlerCandidate handler) {
        if (handler.observation().raw()) {
            return Optional.empty();
        }
        try {
            return Optional.of(EventTypes.of(handler.observation().eventClass()));
        } catch (OutboxException e) {
            return Optional.empty();
        }
    }

    private record GroupAndId(String group, String id) implements Comparable<GroupAndId> {
        @Override
        public int compareTo(GroupAndId other) {
            return Comparator.comparing(GroupAndId::group)
                    .thenComparing(GroupAndId::id)
                    .compare(this, other);
        }
    }
}
