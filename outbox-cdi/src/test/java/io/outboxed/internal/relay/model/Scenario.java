package io.outboxed.internal.relay.model;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What is searched.
 *
 * @param lanes of the messages
 * @param outside the messages whose handler has no transaction of the delivery
 * @param poison the message whose handler kills its node each time, -1 for none
 * @param faults crashes, lapses, failures, hand-overs, lost answers, lost transactions and held rows, at most
 * @param rules in force
 */
record Scenario(List<Integer> lanes, Set<Integer> outside, int poison, int faults, Set<Rule> rules) {
    static final int MOST_ATTEMPTS = 2;
    static final int FATAL_STARTS = 2;

    static Scenario of(List<Integer> lanes, Set<Integer> outside, int faults) {
        return new Scenario(lanes, outside, -1, faults, EnumSet.allOf(Rule.class));
    }

    Scenario withPoison(int message) {
        return new Scenario(lanes, outside, message, faults, rules);
    }

    Scenario without(Rule rule) {
        Set<Rule> left = EnumSet.copyOf(rules);
        left.remove(rule);
        return new Scenario(lanes, outside, poison, faults, left);
    }

    boolean has(Rule rule) {
        return rules.contains(rule);
    }

    int laneOf(ModelRow row) {
        return lanes.get(row.message());
    }

    boolean isOutside(ModelRow row) {
        return outside.contains(row.message());
    }

    int allLanes() {
        return lanes.stream().mapToInt(lane -> 1 << lane).reduce(0, (a, b) -> a | b);
    }
}
