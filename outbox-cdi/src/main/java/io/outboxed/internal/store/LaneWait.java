package io.outboxed.internal.store;

/** A row of outbox_lane: what waits in a lane, for one handler group, for {@link #WHOLE} or for {@link #UNKNOWN}. */
public record LaneWait(long lane, int shard, String group) {
    /** All rows of the lane wait PARKED and are read by (lane, seq): delayed, or one of too many long ones. */
    public static final String WHOLE = "*";
    /** Messages of a type for which no handler is registered; handler and group of what waits there. */
    public static final String UNKNOWN = "?";
}
