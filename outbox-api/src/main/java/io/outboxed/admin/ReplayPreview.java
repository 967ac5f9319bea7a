package io.outboxed.admin;

import io.outboxed.DeadLetter;
import java.util.List;

/**
 * What a replay of several dead letters would do.
 *
 * @param matched how many dead letters meet the filter; counting stops at a million
 * @param inPlace how many of them hold up their aggregate and take their place again: order is kept
 * @param behindNewer how many would be delivered behind all stored events of their aggregate: their handlers may get
 *     them after newer ones
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
