package io.outboxed.internal.report;

import io.outboxed.internal.store.HandlerKey;
import io.outboxed.internal.store.cluster.RegistrySnapshot;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Handlers that are registered and not retired, but not part of this deployment. */
final class OtherHandlers {
    private static final int NAMED = 5;

    private OtherHandlers() {}

    static Optional<String> warning(RegistrySnapshot registry, Set<HandlerKey> own) {
        SortedSet<String> lacking = new TreeSet<>();
        registry.handlers()
                .forEach((type, handlers) -> handlers.keySet().stream()
                        .map(handler -> new HandlerKey(type, handler))
                        .filter(key -> !own.contains(key) && !own.contains(key.ofAnyType()))
                        .forEach(key -> lacking.add(key.handler() + " of "
                                + (registry.of(HandlerKey.ANY_TYPE).containsKey(key.handler()) ? "any type" : type))));
        List<String> named = lacking.stream().limit(NAMED).toList();
        return lacking.isEmpty()
                ? Optional.empty()
                : Optional.of("registered handlers that this deployment lacks; another version may have them: "
                        + String.join(", ", named)
                        + (lacking.size() > NAMED ? " and " + (lacking.size() - NAMED) + " more" : "")
                        + ". If none has, events wait for them until they are retired");
    }
}
