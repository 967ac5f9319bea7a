package io.outboxed.internal.store;

import java.util.Set;
import java.util.UUID;

/** Is told what {@link MemoryStore} has stored, so that a test knows the earliest time of each attempt. */
public interface StoredResolutions {
    StoredResolutions NONE = new StoredResolutions() {};

    /** @param dueAt microseconds on the store's clock */
    default void retry(UUID message, String handler, int attempts, long dueAt) {}

    default void dead(UUID message, String handler) {}

    default void blocked(UUID message, String handler) {}

    default void adopted(UUID message, Set<String> handlers, long dueAt) {}
}
