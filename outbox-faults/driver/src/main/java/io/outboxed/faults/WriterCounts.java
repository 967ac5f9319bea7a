package io.outboxed.faults;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the writers did since the last start of their nodes, by the kind of transaction. */
record WriterCounts(Map<String, Count> kinds) {

    record Count(long committed, long failed) {
        @Override
        public String toString() {
            return committed + ", " + failed;
        }
    }

    /** @param answers of the nodes: for each kind its name, how many were made, and how many of them failed */
    static WriterCounts of(List<String> answers) {
        Map<String, Count> kinds = new TreeMap<>();
        for (String answer : answers) {
            for (String line : answer.lines().toList()) {
                String[] words = line.split(" ");
                Count count = new Count(Long.parseLong(words[1]), Long.parseLong(words[2]));
                kinds.merge(
                        words[0],
                        count,
                        (one, other) -> new Count(one.committed + other.committed, one.failed + other.failed));
            }
        }
        return new WriterCounts(kinds);
    }
}
