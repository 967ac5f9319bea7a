package io.outboxed.internal.database;

import java.util.ArrayList;
import java.util.List;

/** Lists that are too long for one statement. */
public final class Chunks {
    private Chunks() {}

    /** In the order of the list; each chunk has this many elements, the last one perhaps fewer. */
    public static <T> List<List<T>> of(List<T> all, int size) {
        List<List<T>> chunks = new ArrayList<>();
        for (int from = 0; from < all.size(); from += size) {
            chunks.add(all.subList(from, Math.min(all.size(), from + size)));
        }
        return chunks;
    }
}
