package io.outboxed.internal.operations;

import io.outboxed.DeadLetters;
import io.outboxed.admin.WaitingFilter;
import java.time.Instant;

/** The times of a filter. */
public final class Period {
    private Period() {}

    /** @throws IllegalArgumentException if the period ends before it begins */
    public static void require(DeadLetters.Filter filter) {
        require("died", filter.diedSince(), filter.diedUntil());
    }

    /** @throws IllegalArgumentException if the period ends before it begins */
    public static void require(WaitingFilter filter) {
        require("created", filter.createdSince(), filter.createdUntil());
    }

    private static void require(String what, Instant since, Instant until) {
        if (since != null && until != null && !since.isBefore(until)) {
            throw new IllegalArgumentException(
                    what + "Until is " + until + ", expected a time after " + what + "Since, which is " + since);
        }
    }
}
