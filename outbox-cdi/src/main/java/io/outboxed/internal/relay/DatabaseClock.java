package io.outboxed.internal.relay;

import io.outboxed.internal.database.EpochMicros;
import io.outboxed.internal.store.Statistics;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * Estimates the database's clock: its last answer plus the time that has passed on this node's monotonic clock. This
 * node's wall clock is not used, so it may be wrong by hours. Thread-safe.
 */
public final class DatabaseClock {
    private static final long OLD = Duration.ofMinutes(2).toNanos();

    private final Statistics store;
    private final LongSupplier nanoClock;
    private volatile Answer last;

    /** @param at on the monotonic clock, half way between question and answer */
    private record Answer(long micros, long at, long roundTrip) {}

    public DatabaseClock(Statistics store, LongSupplier nanoClock) {
        this.store = store;
        this.nanoClock = nanoClock;
    }

    /** The error is at most half of the round trip, so a slow answer does not replace a quick one. */
    public void ask() {
        long asked = nanoClock.getAsLong();
        long micros = store.clock();
        long roundTrip = nanoClock.getAsLong() - asked;
        Answer before = last;
        if (before == null || roundTrip <= 2 * before.roundTrip() || asked - before.at() > OLD) {
            last = new Answer(micros, asked + roundTrip / 2, roundTrip);
        }
    }

    /** @return nanoseconds on the database's clock, 0 if the time is still to come; empty before the first answer */
    public OptionalLong since(Instant then) {
        Answer answer = last;
        if (answer == null) {
            return OptionalLong.empty();
        }
        long gone = answer.micros() - EpochMicros.of(then);
        return OptionalLong.of(Math.max(0, gone * 1000 + nanoClock.getAsLong() - answer.at()));
    }
}
