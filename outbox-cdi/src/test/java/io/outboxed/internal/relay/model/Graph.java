package io.outboxed.internal.relay.model;

import java.util.BitSet;
import java.util.function.IntPredicate;

/** Which state follows from which, by their numbers. */
final class Graph {
    private final Ints from = new Ints();
    private final Ints to = new Ints();

    void add(int state, int next) {
        from.add(state);
        to.add(next);
    }

    /** The states from which a path leads to one of the given. */
    BitSet leadsTo(int states, IntPredicate wanted) {
        int[] begins = begins(states);
        int[] sources = new int[to.size()];
        for (int edge = 0; edge < to.size(); edge++) {
            sources[--begins[to.get(edge)]] = from.get(edge);
        }
        BitSet found = new BitSet(states);
        int[] open = new int[states];
        int count = 0;
        for (int state = 0; state < states; state++) {
            if (wanted.test(state)) {
                found.set(state);
                open[count++] = state;
            }
        }
        while (count > 0) {
            int state = open[--count];
            for (int i = begins[state]; i < begins[state + 1]; i++) {
                if (!found.get(sources[i])) {
                    found.set(sources[i]);
                    open[count++] = sources[i];
                }
            }
        }
        return found;
    }

    /** For each state the end of its sources, which are filled downwards from there. */
    private int[] begins(int states) {
        int[] begins = new int[states + 1];
        for (int edge = 0; edge < to.size(); edge++) {
            begins[to.get(edge)]++;
        }
        for (int state = 1; state <= states; state++) {
            begins[state] += begins[state - 1];
        }
        return begins;
    }
}
