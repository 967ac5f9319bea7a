package io.outboxed.internal.store;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.database.StoreException;
import java.util.List;
import java.util.Map;

/** A change that only the owner of the shard may make; idempotent, and without effect if the row is gone. */
public sealed interface FencedWrite {

    /** The number of the lane that it is about. */
    long inLane();

    /** What it stores, for people who read the log. */
    String description();

    /** The same, after a transaction of which it is not known whether it was committed. */
    default FencedWrite repeated() {
        return this;
    }

    /**
     * Ends a message's turn. Handlers without a resolution have succeeded (READY, PARKED) or are not concerned (SPLIT).
     * READY or PARKED becomes SPLIT with one delivery row for each Retry and Blocked; the row is deleted if no delivery
     * row is left. A success that is already recorded takes precedence over a resolution. A Retry is due after its
     * delay, a Blocked never; the lane row of each group follows from its delivery rows, see {@link
     * FencedWriter#refresh}.
     *
     * @param isRepeated whether it may be stored already: then it must not undo what an operator has changed since
     */
    record Resolve(MessageHead head, List<Resolution> resolutions, boolean isRepeated) implements FencedWrite {
        public Resolve(MessageHead head, List<Resolution> resolutions) {
            this(head, resolutions, false);
        }

        @Override
        public FencedWrite repeated() {
            return new Resolve(head, resolutions, true);
        }

        /**
         * Whether the row, if it still exists, shows that this decision is stored. If the message was already split, the
         * change may be somebody else's; a Retry or Blocked is skipped nevertheless, because its delivery is read again
         * if it was not stored. A Dead is stored again, which has no effect if its delivery is gone.
         */
        public boolean isStored(MessageState status, int version) {
            return isRepeated
                    && status == MessageState.SPLIT
                    && version > head.version()
                    && (head.status() != MessageState.SPLIT
                            || resolutions.stream().noneMatch(Resolution.Dead.class::isInstance));
        }

        /**
         * Handlers without a resolution would pass for successful.
         *
         * @throws StoreException if this must not be stored
         */
        public void requireNothingLost(MessageState status, int version) {
            head.lostFrom(status, version).ifPresent(lost -> {
                throw new StoreException(lost, false, null);
            });
        }

        @Override
        public long inLane() {
            return head.lane();
        }

        @Override
        public String description() {
            return "a retry or dead letter";
        }
    }

    /** Rows leave the ready index; the lane row {@code *} is due now, or when the delay of a delayed row has passed. */
    record Park(long lane, List<MessageHead> rows) implements FencedWrite {
        @Override
        public long inLane() {
            return lane;
        }

        @Override
        public String description() {
            return "the parking of rows";
        }
    }

    /** The lane row becomes due after the delay, unless it waits for an operator. */
    record PostponeLane(LaneWait lane, long delayMicros) implements FencedWrite {
        @Override
        public long inLane() {
            return lane.lane();
        }

        @Override
        public String description() {
            return "the postponement of an aggregate";
        }
    }

    /** The lane row becomes due with {@link FencedWriter#wake}, unless it waits for an operator's other decision. */
    record PauseLane(LaneWait lane) implements FencedWrite {
        @Override
        public long inLane() {
            return lane.lane();
        }

        @Override
        public String description() {
            return "the pause of an aggregate";
        }
    }

    /** Commits a counted attempt of a waiting delivery before its handler is called. */
    record CountAttempt(MessageHead head, String handler, int attempts) implements FencedWrite {
        @Override
        public long inLane() {
            return head.lane();
        }

        @Override
        public String description() {
            return "an attempt count";
        }
    }

    /**
     * Updates the number of starts of a message (column starts) before one of its waiting deliveries is called, or if it
     * was not called after all. Each answer sets it to 0: a Resolve of the message, or a success.
     *
     * @param from without effect if the message has another number by now
     */
    record UpdateStarts(MessageHead head, int from, int to) implements FencedWrite {
        @Override
        public long inLane() {
            return head.lane();
        }

        @Override
        public String description() {
            return "a start count";
        }
    }

    /**
     * A start that was counted, and not followed by a call, no longer counts.
     *
     * @param head as read before it was counted; without effect if the message has any other count than the next one
     */
    record RevertStart(MessageHead head) implements FencedWrite {
        @Override
        public long inLane() {
            return head.lane();
        }

        @Override
        public String description() {
            return "a corrected start count";
        }
    }

    /**
     * A type that had no handler has some now: the {@code ?} row becomes one delivery row for each handler, due now.
     *
     * @param handlers handler to group
     */
    record Adopt(MessageHead head, Map<String, String> handlers) implements FencedWrite {
        @Override
        public long inLane() {
            return head.lane();
        }

        @Override
        public String description() {
            return "the deliveries to the first handlers of an event type";
        }
    }
}
