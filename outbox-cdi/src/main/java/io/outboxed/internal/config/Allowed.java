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
                min + ".." + max,
                text -> number(() -> Double.valueOf(text)).filter(value -> value >= min && value <= max),
                String::valueOf);
    }

    static Allowed<Duration> duration(Duration min, Duration max) {
        return new Allowed<>(
                Durations.show(min) + ".." + Durations.show(max),
                text -> Durations.parse(text).filter(value -> value.compareTo(min) >= 0 && value.compareTo(max) <= 0),
                Durations::show);
    }

    /** {@code true|false}, and nothing that silently means false. */
    static Allowed<Boolean> onOff() {
        return either("true", "false");
    }

    /** The first word stands for true. */
    static Allowed<Boolean> either(String yes, String no) {
        return new Allowed<>(
                yes + "|" + no,
                text -> text.equalsIgnoreCase(yes)
                        ? Optional.of(true)
                        : Optional.of(false).filter(value -> text.equalsIgnoreCase(no)),
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

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static <N> Optional<N> number(Supplier<N> parse) {
        try {
            return Optional.of(parse.get());
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
