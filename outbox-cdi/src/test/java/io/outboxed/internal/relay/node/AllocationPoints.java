package io.outboxed.internal.relay.node;

import java.util.HashMap;
import java.util.Map;

/** Places in the code at which memory is taken. Called by what {@link InstrumentingClassLoader} loads, on one thread. */
public final class AllocationPoints {
    /** How often each has been passed; null: not counted. */
    private static Map<String, Integer> passed;

    private static String failing = "";
    private static int left;

    private AllocationPoints() {}

    /** Called before memory is taken. */
    public static void at(String place) {
        if (passed != null) {
            passed.merge(place, 1, Integer::sum);
        }
        if (place.equals(failing) && --left == 0) {
            throw new OutOfMemoryError("in a test, at " + place);
        }
    }

    /** @return how often each was passed meanwhile */
    static Map<String, Integer> count(Runnable work) {
        passed = new HashMap<>();
        try {
            work.run();
            return passed;
        } finally {
            passed = null;
        }
    }

    /** Once, when that place is passed for this time, there is no memory. */
    static void fail(String place, int time) {
        failing = place;
        left = time;
    }

    static boolean hasFailed() {
        return left <= 0;
    }
}
