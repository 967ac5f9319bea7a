package io.outboxed.internal.config;

import io.outboxed.internal.store.LaneHash;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Numbers of shards as text, such as {@code 0-15,32}. */
public final class ShardRanges {
    static final String IN_WORDS = "ranges from 0 to " + (LaneHash.SHARDS - 1) + ", such as 0-15,32";

    private static final Pattern RANGE = Pattern.compile("\\d{1,2}(-\\d{1,2})?");

    private ShardRanges() {}

    static Optional<Set<Integer>> parse(String text) {
        SortedSet<Integer> shards = new TreeSet<>();
        for (String range : text.split(",", -1)) {
            String stripped = range.strip();
            if (!RANGE.matcher(stripped).matches()) {
                return Optional.empty();
            }
            String[] ends = stripped.split("-");
            int first = Integer.parseInt(ends[0]);
            int last = Integer.parseInt(ends[ends.length - 1]);
            if (first > last || last >= LaneHash.SHARDS) {
                return Optional.empty();
            }
            for (int shard = first; shard <= last; shard++) {
                shards.add(shard);
            }
        }
        return Optional.of(Collections.unmodifiableSet(shards));
    }

    public static String show(Set<Integer> shards) {
        List<String> ranges = new ArrayList<>();
        int first = -1;
        for (int shard = 0; shard <= LaneHash.SHARDS; shard++) {
            if (shards.contains(shard)) {
                first = first < 0 ? shard : first;
            } else if (first >= 0) {
                ranges.add(first == shard - 1 ? String.valueOf(first) : first + "-" + (shard - 1));
                first = -1;
            }
        }
        return String.join(",", ranges);
    }
}
