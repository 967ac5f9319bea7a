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

/**
 * Writes down what writers and handlers did and checks the promises against it: no loss, no ghost, no reorder, no overlap,
 * one effect. Thread-safe.
 */
final class History {
    private final Map<UUID, Published> published = new LinkedHashMap<>();
    private final Map<String, Set<String>> handlersOfType = new HashMap<>();
    private final Map<String, String> busy = new HashMap<>();
    private final Map<String, Integer> effects = new HashMap<>();
    private final Set<String> finished = new HashSet<>();
    private final Map<String, Long> lastFinished = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private final Map<String, List<Published>> byAggregate = new HashMap<>();
    private long calls;
    private long repeats;

    record Published(UUID id, String type, String aggregate, long number, boolean ordered) {}

    synchronized void handlers(String type, Set<String> handlers) {
        handlersOfType.put(type, handlers);
    }

    synchronized void published(UUID id, String type, String aggregate, long number, boolean ordered) {
        Published event = new Published(id, type, aggregate, number, ordered);
        published.put(id, event);
        byAggregate.computeIfAbsent(aggregate, key -> new ArrayList<>()).add(event);
    }

    /** @param zombie this node is known to have lost its lease: an outside handler may overlap */
    synchronized void begins(String handler, UUID id, boolean zombie) {
        calls++;
        Published event = known(handler, id);
        if (event == null) {
            return;
        }
        String before = busy.put(event.aggregate(), handler + " of " + event.number());
        if (before != null && !zombie) {
            violations.add("overlap in " + event.aggregate() + ": " + handler + " of " + event.number()
                    + " began while " + before + " ran");
        }
        if (event.ordered() && !zombie) {
            Long last = lastFinished.get(handler + "@" + event.aggregate());
            if (last != null && last > event.number()) {
                repeats++;
            }
            missing(handler, event)
                    .forEach(earlier -> violations.add("reorder in " + event.aggregate() + ": " + handler + " saw "
                            + event.number() + " before " + earlier.number() + " was done or dead"));
        }
    }

    synchronized void ends(UUID id) {
        Published event = published.get(id);
        if (event != null) {
            busy.remove(event.aggregate());
        }
    }

    /** The handler's success is recorded, or its work for an outside handler is done. */
    synchronized void succeeded(String handler, UUID id, boolean transactional) {
        Published event = known(handler, id);
        if (event == null) {
            return;
        }
        if (effects.merge(handler + "@" + id, 1, Integer::sum) > 1 && transactional) {
            violations.add("two effects of " + handler + " for " + event.aggregate() + " " + event.number());
        }
        finish(handler, event);
    }

    synchronized void dead(String handler, UUID id) {
        Published event = published.get(id);
        if (event != null) {
            finish(handler, event);
        }
    }

    synchronized long open() {
        return published.values().stream()
                .flatMap(event -> handlersOfType.get(event.type()).stream().map(handler -> handler + "@" + event.id()))
                .filter(key -> !finished.contains(key))
                .count();
    }

    synchronized long calls() {
        return calls;
    }

    synchronized int size() {
        return published.size();
    }

    synchronized void check() {
        List<String> lost = published.values().stream()
                .flatMap(event -> handlersOfType.get(event.type()).stream()
                        .filter(handler -> !finished.contains(handler + "@" + event.id()))
                        .map(handler ->
                                "lost: " + handler + " never handled " + event.aggregate() + " " + event.number()))
                .toList();
        assertThat(violations).as("violations").isEmpty();
        assertThat(lost).as("lost").isEmpty();
    }

    private Published known(String handler, UUID id) {
        Published event = published.get(id);
        if (event == null) {
            violations.add("ghost: " + handler + " saw " + id + ", which was never committed");
        }
        return event;
    }

    private List<Published> missing(String handler, Published event) {
        List<Published> missing = new ArrayList<>();
        for (Published earlier : byAggregate.get(event.aggregate())) {
            if (earlier.number() < event.number()
                    && earlier.ordered()
                    && handlersOfType.get(earlier.type()).contains(handler)
                    && !finished.contains(handler + "@" + earlier.id())) {
                missing.add(earlier);
            }
        }
        return missing;
    }

    private void finish(String handler, Published event) {
        finished.add(handler + "@" + event.id());
        lastFinished.merge(handler + "@" + event.aggregate(), event.number(), Math::max);
    }
}
