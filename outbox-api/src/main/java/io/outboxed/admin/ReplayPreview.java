package io.outboxed.admin;

import io.outboxed.DeadLetter;
import java.util.List;

/**
 * What a replay of several dead letters would do. Those that are neither {@code inPlace} nor {@code behindNewer} have
 * no aggregate, so there is no order to keep. Counting stops at a million, for each of the three numbers.
 *
 * @param matched how many dead letters meet the filter
 * @param inPlace how many of them hold up their aggregate and take their place again: order is kept
 * @param behindNewer how many of them did not hold up their aggregate and would be delivered behind all its stored
 *     events: their handlers may get them after newer ones
 * @param newest the newest of them, at most 5; unmodifiable
 */
public record ReplayPreview(long matched, long inPlace, long behindNewer, List<DeadLetter> newest) {

    /**
     * Copies the list.
     *
     * @param matched how many
     * @param inPlace how many
     * @param behindNewer how many
     * @param newest the newest
     */
    public ReplayPreview {
        newest = List.copyOf(newest);
    }
}
