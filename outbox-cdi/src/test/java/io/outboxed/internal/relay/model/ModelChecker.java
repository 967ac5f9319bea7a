package io.outboxed.internal.relay.model;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Explores every reachable state, the nearest first, so that the trace to a violation is as short as possible. */
final class ModelChecker {

    /**
     * @param states explored
     * @param violation what is broken with the trace that leads there
     */
    record Result(int states, Optional<String> violation) {}

    private final ModelState first;
    private final Transitions transitions;
    private final Promises promises;
    private final List<ModelState> states = new ArrayList<>();
    private final Map<ModelState, Integer> numbers = new HashMap<>();
    /** Equal parts are stored once. */
    private final Map<Object, Object> parts = new HashMap<>();

    private final Ints parents = new Ints();
    private final Graph graph = new Graph();

    ModelChecker(Scenario scenario) {
        this.first = ModelState.first(scenario);
        this.transitions = new Transitions(scenario);
        this.promises = new Promises(scenario);
    }

    Result search() {
        visit(first, -1);
        for (int number = 0; number < states.size(); number++) {
            Optional<String> broken = promises.broken(states.get(number));
            if (broken.isPresent()) {
                return new Result(states.size(), Optional.of(broken.get() + trace(number)));
            }
            int current = number;
            transitions.of(states.get(number), step -> visit(step.next(), current));
        }
        return new Result(states.size(), neverDrained());
    }

    private void visit(ModelState state, int parent) {
        Integer known = numbers.get(state);
        if (known == null) {
            known = states.size();
            ModelState stored = new ModelState(
                    part(state.rows()),
                    state.owner(),
                    part(List.of(part(state.nodes().get(0)), part(state.nodes().get(1)))),
                    part(state.ends()),
                    state.replayed(),
                    state.faults());
            states.add(stored);
            numbers.put(stored, known);
            parents.add(parent);
        }
        if (parent >= 0) {
            graph.add(parent, known);
        }
    }

    @SuppressWarnings("unchecked")
    private <T> T part(T part) {
        Object known = parts.putIfAbsent(part, part);
        return known == null ? part : (T) known;
    }

    private Optional<String> neverDrained() {
        BitSet drains =
                graph.leadsTo(states.size(), number -> states.get(number).isDrained());
        int stuck = drains.nextClearBit(0);
        return stuck == states.size()
                ? Optional.empty()
                : Optional.of("there is no way to an empty table" + trace(stuck));
    }

    private String trace(int number) {
        List<String> lines = new ArrayList<>();
        for (int at = number; parents.get(at) >= 0; at = parents.get(at)) {
            ModelState reached = states.get(at);
            List<String> steps = new ArrayList<>();
            transitions.of(states.get(parents.get(at)), step -> {
                if (step.next().equals(reached)) {
                    steps.add(step.toString());
                }
            });
            lines.add(steps.get(0));
        }
        if (lines.isEmpty()) {
            return " from the first state";
        }
        Collections.reverse(lines);
        return " after\n  " + String.join("\n  ", lines);
    }
}
