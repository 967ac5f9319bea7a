package io.outboxed.internal.operations;

import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.RegisteredHandler.Drop;
import io.outboxed.internal.store.HandlerNames;
import java.util.Objects;
import java.util.UUID;

/** What the beans of the API refuse before they ask the database. */
public final class Arguments {
    private Arguments() {}

    public static void requireDelivery(UUID messageId, String handler) {
        Objects.requireNonNull(messageId, "messageId");
        Objects.requireNonNull(handler, "handler");
        HandlerNames.require(handler);
    }

    public static void requireFilter(DeadLetterFilter filter) {
        Objects.requireNonNull(filter, "filter");
        DeadLetterChanges.requirePeriod(filter);
    }

    public static void requireMany(DeadLetterFilter filter, int atMost) {
        requireFilter(filter);
        requireAtMost(atMost);
    }

    public static void requireDrop(Drop drop) {
        Objects.requireNonNull(drop, "drop");
        HandlerNames.require(drop.handler());
    }

    public static void requireAtMost(int atMost) {
        if (atMost < 1) {
            throw new IllegalArgumentException("atMost is " + atMost + ", expected 1 or more");
        }
    }

    public static void requirePage(int limit, int most) {
        if (limit < 1 || limit > most) {
            throw new IllegalArgumentException("limit is " + limit + ", expected 1 to " + most);
        }
    }
}
