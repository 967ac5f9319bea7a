package io.outboxed.internal.store;

/**
 * A row of outbox_lane: something in a lane waits, for one handler group, for {@link #PARKED} or for {@link #NO_HANDLER}.
 */
public record LaneWait(long lane, int shard, String group) {
    /** All rows of the lane are PARKED and read by (lane, seq): delayed, or one of too many long lanes. */
    public static final String PARKED = "*";
    /** Handler and group of messages that wait because no handler is registered for their type. */
    public static final String NO_HANDLER = "?";

    /** When a lane is due whose first delivery is paused, in microseconds since 1970 UTC: far beyond any real time. */
    public static final long AFTER_RESUME = 1L << 61;

    /** Whether the lane's rows themselves wait, not deliveries of them. */
    public boolean isParked() {
        return group.equals(PARKED);
    }

    /** Whether messages wait because no handler was registered for their type. */
    public boolean lacksHandler() {
        return group.equals(NO_HANDLER);
    }
}
