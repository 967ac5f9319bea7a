package io.outboxed.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Which faults occur, in which order, after which pauses: the same for the same seed. What they hit depends on the
 * moment.
 */
record Plan(List<Step> steps) {
    private static final int SHORTEST_PAUSE = 3_000;
    private static final int LONGEST_PAUSE = 8_000;

    /** @param draw between 0 and 1: how long or how severe it is */
    record Step(long pauseMillis, Fault fault, int victim, double draw) {}

    /** Rounds that contain the faults of each round; all nodes are killed once, in the middle. */
    static Plan of(long seed, Duration length) {
        Random random = new Random(seed);
        List<Step> steps = new ArrayList<>();
        long total = 0;
        boolean allKilled = false;
        while (true) {
            for (Fault fault : round(random)) {
                long pause = SHORTEST_PAUSE + random.nextInt(LONGEST_PAUSE - SHORTEST_PAUSE);
                total += pause;
                if (total > length.toMillis()) {
                    return new Plan(List.copyOf(steps));
                }
                boolean middle = !allKilled && total > length.toMillis() / 2;
                allKilled |= middle;
                steps.add(new Step(
                        pause,
                        middle ? Fault.KILL_ALL_NODES : fault,
                        random.nextInt(Settings.NODES),
                        random.nextDouble()));
            }
        }
    }

    private static List<Fault> round(Random random) {
        List<Fault> round = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            round.addAll(Collections.nCopies(fault.inEachRound, fault));
        }
        Collections.shuffle(round, random);
        return round;
    }
}
