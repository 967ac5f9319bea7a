package io.outboxed.cli.output;

import io.outboxed.internal.database.Counted;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A number that was counted up to a limit.
 *
 * @param most where counting stops: as a count, it means "at least"
 */
public record CappedCount(long count, long most) {

    public static CappedCount exactly(long count) {
        return new CappedCount(count, Long.MAX_VALUE);
    }

    public static CappedCount atLeast(long count) {
        return new CappedCount(count, count);
    }

    /** {@code 12} or {@code at least 1,000,000}. */
    public String number() {
        return (isCapped() ? "at least " : "") + String.format(Locale.ROOT, "%,d", count);
    }

    /** {@code 12 rows} or {@code at least 1,000,000 rows}. */
    public String of(String one, String many) {
        return Counted.upTo(most, count, one, many);
    }

    /** The same at the beginning of a sentence. */
    public String begin(String one, String many) {
        return isCapped() ? "At least " + Counted.of(count, one, many) : of(one, many);
    }

    public boolean isCapped() {
        return count >= most;
    }

    /** Of these, at most so many. */
    public CappedCount upTo(long limit) {
        return limit <= count ? exactly(limit) : this;
    }

    /** The names of those that are lower bounds, for programs. */
    public static List<String> capped(Map<String, CappedCount> counts) {
        return counts.entrySet().stream()
                .filter(each -> each.getValue().isCapped())
                .map(Map.Entry::getKey)
                .toList();
    }
}
