package io.outboxed.internal.relay.memory;

import io.outboxed.internal.store.LaneWait;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** Waits that are due and for which memory has no room. Those of a group are admitted in turn. */
public final class AdmissionQueue {
    private final int pagesAtOnce;
    private final ToIntFunction<String> room;
    /** In turn: a lane that has completed a page comes after those that wait for room. */
    private final Set<LaneWait> withoutRoom = new LinkedHashSet<>();

    /** @param room how many more pages of a group may be read */
    public AdmissionQueue(int pagesAtOnce, ToIntFunction<String> room) {
        this.pagesAtOnce = pagesAtOnce;
        this.room = room;
    }

    /** A copy, in turn. */
    public Set<LaneWait> waits() {
        return new LinkedHashSet<>(withoutRoom);
    }

    /** What is no longer due needs no room. */
    public void retain(Set<LaneWait> due) {
        withoutRoom.retainAll(due);
    }

    public boolean contains(LaneWait wait) {
        return withoutRoom.contains(wait);
    }

    public void add(LaneWait wait) {
        withoutRoom.add(wait);
    }

    /** @return false if it does not wait for room */
    public boolean remove(LaneWait wait) {
        return withoutRoom.remove(wait);
    }

    /** Whether deliveries of a group wait until others of it have left memory. */
    public boolean lacksRoom(String group) {
        return withoutRoom.stream().anyMatch(wait -> wait.group().equals(group));
    }

    public boolean hasRoom(String group) {
        return room.applyAsInt(group) > 0;
    }

    /**
     * Whether there is room now for one whose turn it is.
     *
     * @param mayBringIn the lanes that this node may bring into memory
     */
    public boolean anyHasRoom(LongPredicate mayBringIn) {
        return firstOfEachGroup().anyMatch(wait -> mayBringIn.test(wait.lane()) && hasRoom(wait.group()));
    }

    private Stream<LaneWait> firstOfEachGroup() {
        Map<String, LaneWait> first = new HashMap<>();
        withoutRoom.forEach(wait -> first.putIfAbsent(wait.group(), wait));
        return first.values().stream();
    }

    /** All wait anew: each is to be offered once more. */
    public Round begin() {
        withoutRoom.clear();
        return new Round();
    }

    /** Which of the waits that are offered come into memory now. */
    public final class Round {
        private final Set<LaneWait> admitted = new LinkedHashSet<>();
        private final Set<LaneWait> later = new LinkedHashSet<>();
        private final Map<String, Integer> rooms = new HashMap<>();
        private final Set<String> full = new HashSet<>();
        private int pages = pagesAtOnce;

        private Round() {}

        /** It needs no room. */
        public void admit(LaneWait wait) {
            admitted.add(wait);
        }

        /**
         * Admitted if there is room, and none of its group waits before it.
         *
         * @param claimed whether this node may bring its lane into memory
         * @param tried whether it has just tried to claim it, if not. Otherwise the lane keeps its place
         */
        public void offer(LaneWait wait, boolean claimed, boolean tried) {
            String group = wait.group();
            int left = Math.min(pages, rooms.computeIfAbsent(group, room::applyAsInt));
            if (full.contains(group) || (claimed ? left == 0 : !tried)) {
                full.add(group);
                later.add(wait);
            } else if (claimed) {
                admitted.add(wait);
                rooms.put(group, rooms.get(group) - 1);
                pages--;
            }
        }

        public Set<LaneWait> admitted() {
            return admitted;
        }

        /** Those without room wait, behind what has met none since it was admitted. */
        public void end() {
            withoutRoom.addAll(later);
        }
    }
}
