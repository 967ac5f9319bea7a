package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;

/**
 * Writes down what writers and handlers did and checks the promises against it: no loss, no ghost, no reorder, no overlap,
 * one effect. Thread-safe.
 */
final class History {
    private final Map<UUID, Published> published = new LinkedHashMap<>();
    private final Map<String, List<Published>> byAggregate = new HashMap<>();
    private final Map<String, Busy> busy = new HashMap<>();
    private final Map<String, Integer> effects = new HashMap<>();
    private final Set<String> finished = new HashSet<>();
    /** By handler and aggregate: the number that it saw last, from a node that held the lease. */
    private final Map<String, Long> seenLast = new HashMap<>();

    private final Map<String, Long> seenHighest = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private final BiPredicate<String, UUID> isDead;
    private long calls;

    /** @param isDead whether a dead letter of this handler and message is stored */
    History(BiPredicate<String, UUID> isDead) {
        this.isDead = isDead;
    }

    private final Map<UUID, List<String>> trails = new HashMap<>();

    private record Published(UUID id, Set<String> handlers, String aggregate, long number, boolean ordered) {}

    private record Busy(Object call, String what, BooleanSupplier holdsLease) {}

    /**
     * An event is committed.
     *
     * @param handlers those that must handle it
     * @param ordered false for one that stands alone
     */
    synchronized void published(UUID id, Set<String> handlers, String aggregate, long number, boolean ordered) {
        Published event = new Published(id, handlers, aggregate, number, ordered);
        published.put(id, event);
        byAggregate.computeIfAbsent(aggregate, key -> new ArrayList<>()).add(event);
    }

    /** @param holdsLease whether the caller's node is still the shard's owner when asked: a zombie may overlap */
    synchronized void begins(Object call, String handler, UUID id, BooleanSupplier holdsLease) {
        calls++;
        Published event = published.get(id);
        if (event == null) {
            violations.add("ghost: " + handler + " saw " + id + ", which was never committed");
            return;
        }
        String what = handler + " of " + event.number();
        Busy before = busy.put(event.aggregate(), new Busy(call, what, holdsLease));
        if (event.ordered()
                && before != null
                && holdsLease.getAsBoolean()
                && before.holdsLease().getAsBoolean()) {
            violations.add("overlap in " + event.aggregate() + ": " + what + " began while " + before.what() + " ran");
        }
        if (event.ordered() && holdsLease.getAsBoolean()) {
            seenLast.put(handler + "@" + event.aggregate(), event.number());
            seenHighest.merge(handler + "@" + event.aggregate(), event.number(), Math::max);
        }
        for (Published earlier : byAggregate.get(event.aggregate())) {
            if (event.ordered()
                    && earlier.ordered()
                    && earlier.number() < event.number()
                    && earlier.handlers().contains(handler)
                    && isOpen(handler, earlier.id())) {
                violations.add("reorder in " + event.aggregate() + ": " + handler + " saw " + event.number()
                        + " before " + earlier.number() + " was done or dead");
            }
        }
    }

    synchronized void ends(Object call, UUID id) {
        Published event = published.get(id);
        if (event != null) {
            busy.computeIfPresent(event.aggregate(), (key, now) -> now.call() == call ? null : now);
        }
    }

    /** The handler's effect is committed, or an outside handler has done its work. */
    synchronized void succeeded(String handler, UUID id, boolean transactional) {
        trail(id, handler + " succeeded");
        int times = effects.merge(handler + "@" + id, 1, Integer::sum);
        if (times > 1 && transactional) {
            Published event = published.get(id);
            violations.add("two effects of " + handler + " for " + event.aggregate() + " " + event.number() + ": "
                    + trails.get(id));
        }
        finished.add(handler + "@" + id);
    }

    synchronized void violation(String what) {
        violations.add(what);
    }

    /** What happened to a message, shown when a promise is broken. */
    synchronized void trail(UUID id, String what) {
        trails.computeIfAbsent(id, key -> new ArrayList<>()).add(what);
    }

    /** Deliveries that are neither done nor dead. */
    synchronized List<String> open() {
        List<String> open = new ArrayList<>();
        for (Published event : published.values()) {
            for (String handler : event.handlers()) {
                if (isOpen(handler, event.id())) {
                    open.add(handler + " of " + event.aggregate() + " " + event.number() + " (" + event.id() + ")");
                }
            }
        }
        return open;
    }

    synchronized int size() {
        return published.size();
    }

    synchronized long calls() {
        return calls;
    }

    synchronized void check(String run) {
        checkSoFar(run);
        assertThat(open()).as("lost in " + run).isEmpty();
        // what comes again brings along all that came after it: else a receiver would end with an old state
        assertThat(seenLast)
                .as("the last event that each handler saw, in " + run)
                .isEqualTo(seenHighest);
    }

    synchronized void checkSoFar(String run) {
        assertThat(violations).as("violations in " + run).isEmpty();
    }

    synchronized boolean isOpen(UUID id) {
        return published.get(id).handlers().stream().anyMatch(handler -> isOpen(handler, id));
    }

    synchronized int effects(String handler, UUID id) {
        return effects.getOrDefault(handler + "@" + id, 0);
    }

    synchronized boolean hasViolations() {
        return !violations.isEmpty();
    }

    synchronized boolean isOpen(String handler, UUID id) {
        return !finished.contains(handler + "@" + id) && !isDead.test(handler, id);
    }
}
