package io.outboxed.internal.config;

/**
 * One setting, as the reader checks it and as {@code docs/configuration.md} lists it.
 *
 * @param standard the default
 * @param meaning one sentence
 */
record ConfigKey<T>(String name, T standard, Allowed<T> allowed, String meaning) {

    /** The default as text, empty where nothing is set. */
    String standardText() {
        return standard == null ? "" : allowed.show().apply(standard);
    }
}
