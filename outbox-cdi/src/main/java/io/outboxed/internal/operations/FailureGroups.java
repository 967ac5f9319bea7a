package io.outboxed.internal.operations;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters.Filter;
import io.outboxed.admin.FailureGroup;
import io.outboxed.internal.store.DeadLetterKey;
import io.outboxed.internal.store.jdbc.DeadLetterStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Groups the newest dead letters by handler, type and kind of error, a page at a time. */
public final class FailureGroups {
    private static final int PAGE = 500;
    private static final int LONGEST = 80;
    private static final Pattern CLASS = Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$.]*(?=:|$)");
    /** Numbers and names in quotes differ from event to event. */
    private static final Pattern COMMON = Pattern.compile("[^\\p{N}'\"\\[{<]*");

    private final DeadLetterStore letters;

    FailureGroups(DeadLetterStore letters) {
        this.letters = letters;
    }

    private record Key(String handler, String type, String error) {}

    /** The largest first. */
    public List<FailureGroup> of(Filter filter, int atMost) {
        Map<Key, FailureGroup> groups = new LinkedHashMap<>();
        DeadLetterKey last = null;
        List<DeadLetter> page;
        int seen = 0;
        do {
            page = letters.find(filter, last, Math.min(PAGE, atMost - seen));
            page.forEach(letter -> groups.merge(key(letter), group(letter), FailureGroups::both));
            seen += page.size();
            last = page.isEmpty() ? null : DeadLetterKey.of(page.get(page.size() - 1));
        } while (page.size() == PAGE && seen < atMost);
        List<FailureGroup> sorted = new ArrayList<>(groups.values());
        sorted.sort(Comparator.comparing(FailureGroup::count).reversed());
        return List.copyOf(sorted);
    }

    private static Key key(DeadLetter letter) {
        return new Key(letter.handler(), letter.type(), kind(letter.error()));
    }

    private static FailureGroup group(DeadLetter letter) {
        return new FailureGroup(
                letter.handler(),
                letter.type(),
                kind(letter.error()),
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

    /** The beginning of the text. */
    static String kind(String error) {
        if (error == null) {
            return "";
        }
        Matcher name = CLASS.matcher(error);
        if (name.lookingAt()) {
            return name.group();
        }
        Matcher common = COMMON.matcher(error);
        String begin = common.lookingAt() && common.end() > 0 ? common.group() : error;
        return begin.substring(0, Math.min(LONGEST, begin.length())).strip();
    }
}
