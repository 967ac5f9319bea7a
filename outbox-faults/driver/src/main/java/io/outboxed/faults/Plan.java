package io.outboxed.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which faults occur, in which order, after which pauses: the same for the same seed. What they hit depends on the
 * moment.
 */
record Plan(List<Step> steps) {
    /** Planned faults. */
    private static final int LONG_RUN = 200;

    private static final int SHORTEST_PAUSE = 2_000;
    private static final int LONGEST_PAUSE = 6_000;
    private static final long LONGEST_PERIOD = Duration.ofMinutes(20).toMillis();

    /**
     * @param draw between 0 and 1: how long or how severe it is
     * @param hasWaited a kill that has waited in vain for its moment
     */
    record Step(long pauseMillis, Fault fault, int victim, double draw, boolean hasWaited) {

        Step sooner() {
            return new Step(pauseMillis, fault, victim, draw / 2, true);
        }
    }

    /**
     * Each kind once, and then rounds that contain the faults of each round; in between, in each period, what concerns
     * all nodes.
     */
    static Plan of(long seed, Duration length) {
        Random random = new Random(seed);
        List<Step> steps = new ArrayList<>();
        long period = Math.min(LONGEST_PERIOD, length.toMillis());
        long total = 0;
        while (true) {
            for (Fault fault : round(random, steps.isEmpty())) {
                long pause = SHORTEST_PAUSE + random.nextInt(LONGEST_PAUSE - SHORTEST_PAUSE);
                if (total + pause > length.toMillis()) {
                    return new Plan(List.copyOf(steps));
                }
                steps.add(step(random, pause, fault));
                if (passes(total, pause, period / 4, period)) {
                    steps.add(step(random, SHORTEST_PAUSE, Fault.ROLLING_RESTART));
                }
                if (passes(total, pause, period / 2, period)) {
                    steps.add(step(random, SHORTEST_PAUSE, Fault.KILL_ALL_NODES));
                }
                total += pause;
            }
        }
    }

    /** One fault at regular intervals, of random severity. */
    static Plan of(long seed, Duration length, Fault fault, Duration every) {
        Random random = new Random(seed);
        return new Plan(Stream.generate(() -> step(random, every.toMillis(), fault))
                .limit(length.dividedBy(every))
                .toList());
    }

    /** For a machine that can't have the fault. */
    Plan without(Fault fault) {
        return new Plan(steps.stream().filter(step -> step.fault() != fault).toList());
    }

    /**
     * Whether all has to occur that a run can show.
     *
     * @param most after how many faults it is given up
     */
    boolean isLong(int most) {
        long faults =
                steps.stream().filter(step -> !step.fault().isOperatorAction()).count();
        return Math.min(faults, most) >= LONG_RUN;
    }

    /** Whether each planned kind has to occur: it may be missing only if a few faults end the run. */
    boolean needsEachKind(int most) {
        return most == Integer.MAX_VALUE || isLong(most);
    }

    boolean hasOnlyOperatorActions() {
        return !steps.isEmpty() && kinds().stream().allMatch(Fault::isOperatorAction);
    }

    Set<Fault> kinds() {
        return steps.stream().map(Step::fault).collect(Collectors.toCollection(() -> EnumSet.noneOf(Fault.class)));
    }

    private static Step step(Random random, long pause, Fault fault) {
        return new Step(pause, fault, random.nextInt(Settings.NODES), random.nextDouble(), false);
    }

    /** Whether the moment, which recurs in each period, comes in this pause. */
    private static boolean passes(long total, long pause, long moment, long period) {
        return (total - moment + period) / period < (total + pause - moment + period) / period;
    }

    private static List<Fault> round(Random random, boolean isFirst) {
        List<Fault> round = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            round.addAll(Collections.nCopies(isFirst ? Math.min(1, fault.inEachRound) : fault.inEachRound, fault));
        }
        Collections.shuffle(round, random);
        return round;
    }
}
