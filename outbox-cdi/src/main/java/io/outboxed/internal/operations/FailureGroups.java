package io.outboxed.internal.operations;

import io.outboxed.DeadLetter;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.FailureGroup;
import io.outboxed.internal.store.DeadLetterPosition;
import io.outboxed.internal.store.ErrorKind;
import io.outboxed.internal.store.jdbc.DeadLetterStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Groups the newest dead letters by handler, type and kind of error, a page at a time. */
public final class FailureGroups {
    private static final int PAGE = 500;

    private final DeadLetterStore letters;

    FailureGroups(DeadLetterStore letters) {
        this.letters = letters;
    }

    private record Key(String handler, String type, String error) {}

    /** The largest first. */
    public List<FailureGroup> of(DeadLetterFilter filter, int atMost) {
        Map<Key, FailureGroup> groups = new LinkedHashMap<>();
        DeadLetterPosition last = null;
        List<DeadLetter> page;
        int seen = 0;
        do {
            page = letters.find(filter, last, Math.min(PAGE, atMost - seen));
            page.forEach(letter -> groups.merge(key(letter), group(letter), FailureGroups::both));
            seen += page.size();
            last = page.isEmpty() ? null : DeadLetterPosition.of(page.get(page.size() - 1));
        } while (page.size() == PAGE && seen < atMost);
        List<FailureGroup> sorted = new ArrayList<>(groups.values());
        sorted.sort(Comparator.comparing(FailureGroup::count).reversed());
        return List.copyOf(sorted);
    }

    private static Key key(DeadLetter letter) {
        return new Key(
                letter.handler(), letter.type(), ErrorKind.of(letter.error()).text());
    }

    private static FailureGroup group(DeadLetter letter) {
        return new FailureGroup(
                letter.handler(),
                letter.type(),
                ErrorKind.of(letter.error()).text(),
                1,
                letter.diedAt(),
                letter.diedAt(),
                letter.messageId());
    }

    /** Newer ones come first. */
    private static FailureGroup both(FailureGroup newer, FailureGroup older) {
        return new FailureGroup(
                newer.handler(),
                newer.type(),
                newer.error(),
                newer.count() + older.count(),
                older.firstDiedAt(),
                newer.lastDiedAt(),
                newer.sample());
    }
}
