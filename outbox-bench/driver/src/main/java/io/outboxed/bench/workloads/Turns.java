package io.outboxed.bench.workloads;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** In which order a round takes what is compared: the same one each time would always favour somebody's place. */
final class Turns {
    private Turns() {}

    /** @param round from 1; the even ones go backwards */
    static <T> List<T> of(Collection<T> all, int round) {
        List<T> turns = new ArrayList<>(all);
        if (round % 2 == 0) {
            Collections.reverse(turns);
        }
        return turns;
    }
}
