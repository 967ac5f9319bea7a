package io.outboxed.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.relay.GroupOrder.Seen;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * Records what writers and handlers did and checks the promises against it: no loss, no phantom event, no reorder, no
 * overlap, one effect. Thread-safe.
 */
final class History {
    /** Prefixes of known violations that are ignored, to find out what else is violated. */
    private static final List<String> TOLERATED = Arrays.stream(
                    System.getProperty("simulation.tolerate", "").split(","))
            .filter(text -> !text.isBlank())
            .toList();

    private final Map<UUID, Published> published = new LinkedHashMap<>();
    private final GroupOrder order = new GroupOrder(this::isOver);

    private final Map<String, Busy> busy = new HashMap<>();
    /** The number that a group last saw from a node that held the lease. */
    private final Map<Seen, Long> seenLast = new HashMap<>();

    private final Map<Seen, Long> seenHighest = new HashMap<>();
    private final Set<UUID> called = new HashSet<>();
    private final Set<UUID> cancelled = new HashSet<>();
    private final Set<UUID> removed = new HashSet<>();
    private final List<String> violations = new ArrayList<>();
    private final BiPredicate<String, UUID> isDead;
    private final UnaryOperator<String> groupOf;
    private final boolean deadHoldsUp;
    private long calls;

    /** @param isDead whether a dead letter of this handler and message is stored */
    public History(BiPredicate<String, UUID> isDead) {
        this(isDead, handler -> handler, false);
    }

    /**
     * @param groupOf the group of a handler
     * @param deadHoldsUp nothing comes after a dead letter before an operator has acted
     */
    public History(BiPredicate<String, UUID> isDead, UnaryOperator<String> groupOf, boolean deadHoldsUp) {
        this.isDead = isDead;
        this.groupOf = groupOf;
        this.deadHoldsUp = deadHoldsUp;
    }

    private record Published(
            UUID id, String aggregate, long number, boolean ordered, Map<String, ExpectedDelivery> deliveries) {}

    private record Busy(Object call, String what, BooleanSupplier holdsLease) {}

    /**
     * Called when an event is committed.
     *
     * @param handlers those that must handle it
     * @param ordered false for an event without an aggregate
     */
    synchronized void published(UUID id, Set<String> handlers, String aggregate, long number, boolean ordered) {
        Published event = new Published(id, aggregate, number, ordered, new TreeMap<>());
        published.put(id, event);
        handlers.forEach(handler -> add(event, handler, number, false));
    }

    /** The same for an event of a type whose handlers are not registered yet, as far as some nodes know. */
    synchronized void publishedEarly(UUID id, Set<String> handlers, String aggregate, long number, boolean ordered) {
        Published event = new Published(id, aggregate, number, ordered, new TreeMap<>());
        published.put(id, event);
        for (String handler : handlers) {
            ExpectedDelivery delivery = new ExpectedDelivery(handler, id, aggregate, number, true, false);
            event.deliveries().put(handler, delivery);
            order.addEarly(seen(delivery), delivery);
        }
    }

    /** From now on it comes before the later ones of its groups. */
    synchronized void adopted(UUID id) {
        published.get(id).deliveries().values().forEach(this::adopt);
    }

    /** A node that has all handlers calls this one: what waits in the group for its first handler comes before. */
    synchronized void comesAfterEarly(String handler, UUID id) {
        Published event = published.get(id);
        if (event != null && event.ordered()) {
            order.early(seen(handler, event), event.number()).forEach(this::adopt);
        }
    }

    private void adopt(ExpectedDelivery delivery) {
        if (order.adopt(seen(delivery), delivery)) {
            // what its group saw before is no reason for a complaint
            seenHighest.remove(seen(delivery));
        }
    }

    private Seen seen(ExpectedDelivery delivery) {
        return new Seen(groupOf.apply(delivery.handler), delivery.aggregate);
    }

    private Seen seen(String handler, Published event) {
        return new Seen(groupOf.apply(handler), event.aggregate());
    }

    /** An operator has replayed a dead letter: as a new event with this number, for this handler alone. */
    synchronized void replayed(UUID id, String handler, long number) {
        add(published.get(id), handler, number, true);
    }

    /** A transaction that has cancelled this event is committed. */
    synchronized void cancelled(UUID id) {
        cancelled.add(id);
        if (called.contains(id)) {
            violation("phantom event: " + id + " was cancelled after it had been called");
        }
        published.get(id).deliveries().values().forEach(delivery -> delivery.finished = true);
    }

    /** Its row was deleted, although it may have been called: nothing of it may be committed any more. */
    synchronized void removed(UUID id) {
        removed.add(id);
        Published event = published.get(id);
        // it may have been the last one that its group saw
        event.deliveries().keySet().forEach(handler -> seenHighest.remove(seen(handler, event)));
        event.deliveries().values().forEach(delivery -> delivery.finished = true);
    }

    private void add(Published event, String handler, long number, boolean replay) {
        ExpectedDelivery delivery = new ExpectedDelivery(handler, event.id(), event.aggregate(), number, true, replay);
        event.deliveries().put(handler, delivery);
        order.addLast(seen(delivery), delivery);
    }

    /** @param holdsLease whether the caller's node is still the shard's owner when asked: a zombie may overlap */
    synchronized void begins(Object call, String handler, UUID id, BooleanSupplier holdsLease) {
        begins(call, handler, List.of(id), holdsLease);
    }

    /** @param ids of the events that are handled in one call, in their order */
    synchronized void begins(Object call, String handler, List<UUID> ids, BooleanSupplier holdsLease) {
        for (int i = 0; i < ids.size(); i++) {
            begins(call, handler, ids.get(i), ids.subList(0, i), holdsLease);
        }
    }

    private void begins(Object call, String handler, UUID id, List<UUID> together, BooleanSupplier holdsLease) {
        calls++;
        Published event = published.get(id);
        if (event == null) {
            violation("phantom event: " + handler + " saw " + id + ", which was never committed");
            return;
        }
        called.add(id);
        if (cancelled.contains(id)) {
            violation("phantom event: " + handler + " saw " + id + ", which was cancelled");
        }
        ExpectedDelivery delivery = event.deliveries()
                .computeIfAbsent(
                        handler, key -> new ExpectedDelivery(key, id, event.aggregate(), event.number(), false, false));
        if (!event.ordered()) {
            return;
        }
        boolean holds = holdsLease.getAsBoolean();
        String what = handler + " of " + delivery.number;
        Busy before = busy.put(event.aggregate(), new Busy(call, what, holdsLease));
        if (before != null
                && before.call() != call
                && holds
                && before.holdsLease().getAsBoolean()) {
            violation("overlap in " + event.aggregate() + ": " + what + " began while " + before.what() + " ran");
        }
        Seen seen = seen(delivery);
        if (holds) {
            seenLast.put(seen, delivery.number);
            seenHighest.merge(seen, delivery.number, Math::max);
        }
        ExpectedDelivery first = order.first(seen, together);
        // a zombie may still make a call of before the replay: its place in the order is that of the first delivery
        boolean late = delivery.replay && !holds || first != null && first.adopted && !holds;
        if (first != null && first.number < delivery.number && !late) {
            violation("reorder in " + event.aggregate() + ": " + what + " was called before " + first.handler + " of "
                    + first.number + " was done or dead");
        }
    }

    synchronized void ends(Object call, UUID id) {
        Published event = published.get(id);
        if (event != null) {
            busy.computeIfPresent(event.aggregate(), (key, now) -> now.call() == call ? null : now);
        }
    }

    /**
     * The handler's effect is committed, or an outside handler has done its work.
     *
     * @param once whether a second success breaks a promise
     */
    synchronized void succeeded(String handler, UUID id, boolean once) {
        ExpectedDelivery delivery = published.get(id).deliveries().get(handler);
        delivery.trail.add("succeeded");
        if (removed.contains(id)) {
            violation("phantom event: the effect of " + delivery + " was committed after its row was deleted");
        }
        delivery.finished = true;
        if (++delivery.effects > 1 && once) {
            violation("two effects of " + delivery + ": " + delivery.trail);
        }
    }

    synchronized void violation(String what) {
        if (TOLERATED.stream().noneMatch(what::startsWith)) {
            violations.add(what);
        }
    }

    /** What happened to a message, shown when a promise is broken. */
    synchronized void trail(UUID id, String what) {
        Published event = published.get(id);
        if (event != null) {
            event.deliveries().values().forEach(delivery -> delivery.trail.add(what));
        }
    }

    /** Deliveries that are neither done nor dead. */
    synchronized List<String> open() {
        List<String> open = new ArrayList<>();
        for (Published event : published.values()) {
            for (ExpectedDelivery delivery : event.deliveries().values()) {
                if (delivery.required && isOpen(delivery)) {
                    open.add(delivery.toString());
                }
            }
        }
        return open;
    }

    /** The first of each group and aggregate that is neither done nor dead. */
    synchronized Collection<ExpectedDelivery> next() {
        return order.next();
    }

    private boolean isOver(ExpectedDelivery delivery) {
        return delivery.finished || !isLatest(delivery) || !deadHoldsUp && isDead.test(delivery.handler, delivery.id);
    }

    /** It has not been replayed as a new event since. */
    private boolean isLatest(ExpectedDelivery delivery) {
        return published.get(delivery.id).deliveries().get(delivery.handler) == delivery;
    }

    private boolean isOpen(ExpectedDelivery delivery) {
        return !delivery.finished && !isDead.test(delivery.handler, delivery.id);
    }

    synchronized boolean allOver() {
        return next().isEmpty();
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
        assertThat(endings())
                .as("the last event that each group saw, in " + run)
                .isEmpty();
    }

    /**
     * What is repeated must be followed by all that came after it: otherwise a receiver would end with an old state.
     */
    synchronized List<String> endings() {
        List<String> old = new ArrayList<>();
        seenHighest.forEach((seen, highest) -> {
            if (!highest.equals(seenLast.get(seen))) {
                old.add("old state: " + seen.group() + " of " + seen.aggregate() + " ends with " + seenLast.get(seen)
                        + " after it saw " + highest);
            }
        });
        return old;
    }

    synchronized void checkSoFar(String run) {
        assertThat(violations).as("violations in " + run).isEmpty();
    }

    synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    synchronized boolean isOpen(UUID id) {
        return published.get(id).deliveries().values().stream()
                .anyMatch(delivery -> delivery.required && isOpen(delivery));
    }

    synchronized boolean isOpen(String handler, UUID id) {
        ExpectedDelivery delivery = published.get(id).deliveries().get(handler);
        return delivery == null ? !isDead.test(handler, id) : isOpen(delivery);
    }

    synchronized int effects(String handler, UUID id) {
        ExpectedDelivery delivery = published.get(id).deliveries().get(handler);
        return delivery == null ? 0 : delivery.effects;
    }

    synchronized boolean hasViolations() {
        return !violations.isEmpty();
    }
}
