package io.outboxed.internal.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The values that a key accepts.
 *
 * @param description shown in errors and documents, for example {@code 1..10000}
 * @param parse returns empty for a value that is not allowed
 */
public record ValueSpec<T>(String description, Function<String, Optional<T>> parse, Function<T, String> show) {

    static ValueSpec<Integer> whole(int min, int max) {
        return new ValueSpec<>(
                min + ".." + max,
                text -> number(() -> Integer.valueOf(text)).filter(value -> value >= min && value <= max),
                String::valueOf);
    }

    static ValueSpec<Double> decimal(double min, double max) {
        return new ValueSpec<>(
                plain(min) + ".." + plain(max),
                text -> Optional.of(text)
                        .filter(value -> value.matches("\\d+(\\.\\d+)?"))
                        .map(Double::valueOf)
                        .filter(value -> value >= min && value <= max),
                ValueSpec::plain);
    }

    static ValueSpec<Duration> duration(Duration min, Duration max) {
        return new ValueSpec<>(
                Durations.show(min) + ".." + Durations.show(max),
                text -> Durations.parse(text).filter(value -> value.compareTo(min) >= 0 && value.compareTo(max) <= 0),
                Durations::show);
    }

    /** Zero is allowed too, and has a meaning of its own. */
    static ValueSpec<Duration> durationOrZero(Duration min, Duration max) {
        ValueSpec<Duration> positive = duration(min, max);
        return new ValueSpec<>(
                "0 or " + positive.description(),
                text -> Durations.parse(text)
                        .filter(Duration::isZero)
                        .or(() -> positive.parse().apply(text)),
                Durations::show);
    }

    /** Accepts {@code true} and {@code false} only, so that a misspelt word does not silently mean false. */
    static ValueSpec<Boolean> onOff() {
        return oneOf("true|false", "false", "true");
    }

    /** The second word means true. */
    static ValueSpec<Boolean> either(String no, String yes) {
        return oneOf(no + "|" + yes, no, yes);
    }

    private static ValueSpec<Boolean> oneOf(String description, String no, String yes) {
        return new ValueSpec<>(
                description,
                text -> Optional.of(text.equalsIgnoreCase(yes)).filter(value -> value || text.equalsIgnoreCase(no)),
                value -> value ? yes : no);
    }

    static <E extends Enum<E>> ValueSpec<E> oneOf(Class<E> words) {
        E[] all = words.getEnumConstants();
        return new ValueSpec<>(
                Arrays.stream(all).map(ValueSpec::word).collect(Collectors.joining("|")),
                text -> Arrays.stream(all)
                        .filter(value -> word(value).equalsIgnoreCase(text))
                        .findFirst(),
                ValueSpec::word);
    }

    static ValueSpec<String> text(String description, String pattern) {
        return new ValueSpec<>(
                description, text -> Optional.of(text).filter(value -> value.matches(pattern)), text -> text);
    }

    /** Separated by commas. */
    static ValueSpec<Set<String>> names(String description) {
        return new ValueSpec<>(
                description,
                text -> Optional.of(Arrays.stream(text.split(","))
                                .map(String::strip)
                                .collect(Collectors.toCollection(TreeSet::new)))
                        .<Set<String>>map(Collections::unmodifiableSet)
                        .filter(names -> !names.contains("")),
                names -> String.join(",", names));
    }

    /** Prints 2 instead of 2.0. */
    private static String plain(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static <N> Optional<N> number(Supplier<N> parse) {
        try {
            return Optional.of(parse.get());
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
