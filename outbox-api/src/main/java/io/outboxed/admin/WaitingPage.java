package io.outboxed.admin;

import java.util.List;

/**
 * A page of what waits.
 *
 * @param items the oldest first; not null, unmodifiable. Fewer than asked for, even none, do not mean that this is the
 *     last page
 * @param next pass it as {@code after} for the next page, with the same filter; null after the last page. An opaque
 *     string without spaces, shorter than 300 characters, that stays valid when the items of this page are gone
 */
public record WaitingPage(List<WaitingItem> items, String next) {

    /**
     * Copies the list.
     *
     * @param items the items
     * @param next where the next page begins, or null
     */
    public WaitingPage {
        items = List.copyOf(items);
    }
}
