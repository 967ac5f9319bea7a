package io.outboxed.internal.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What may stand behind a key.
 *
 * @param words for people: {@code 1..10000}
 * @param parse empty for what is not allowed
 */
record Allowed<T>(String words, Function<String, Optional<T>> parse, Function<T, String> show) {

    static Allowed<Integer> whole(int min, int max) {
        return new Allowed<>(
                min + ".." + max,
                text -> number(() -> Integer.valueOf(text)).filter(value -> value >= min && value <= max),
                String::valueOf);
    }

    static Allowed<Double> decimal(double min, double max) {
        return new Allowed<>(
                plain(min) + ".." + plain(max),
                text -> number(() -> Double.valueOf(text)).filter(value -> value >= min && value <= max),
                Allowed::plain);
    }

    static Allowed<Duration> duration(Duration min, Duration max) {
        return new Allowed<>(
                Durations.show(min) + ".." + Durations.show(max),
                text -> Durations.parse(text).filter(value -> value.compareTo(min) >= 0 && value.compareTo(max) <= 0),
                Durations::show);
    }

    /** {@code true|false}, and nothing that silently means false. */
    static Allowed<Boolean> onOff() {
        return words("true|false", "false", "true");
    }

    /** The second word stands for true. */
    static Allowed<Boolean> either(String no, String yes) {
        return words(no + "|" + yes, no, yes);
    }

    private static Allowed<Boolean> words(String words, String no, String yes) {
        return new Allowed<>(
                words,
                text -> Optional.of(text.equalsIgnoreCase(yes)).filter(value -> value || text.equalsIgnoreCase(no)),
                value -> value ? yes : no);
    }

    static <E extends Enum<E>> Allowed<E> oneOf(Class<E> words) {
        E[] all = words.getEnumConstants();
        return new Allowed<>(
                Arrays.stream(all).map(Allowed::word).collect(Collectors.joining("|")),
                text -> Arrays.stream(all)
                        .filter(value -> word(value).equalsIgnoreCase(text))
                        .findFirst(),
                Allowed::word);
    }

    static Allowed<String> text(String words, String pattern) {
        return new Allowed<>(words, text -> Optional.of(text).filter(value -> value.matches(pattern)), text -> text);
    }

    /** 2 and not 2.0. */
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
