package io.outboxed.internal.config;

/**
 * One setting, as the reader checks it and as {@code docs/configuration.md} lists it.
 *
 * @param defaultValue the default
 * @param meaning one sentence
 */
public record ConfigKey<T>(String name, T defaultValue, ValueSpec<T> allowed, String meaning) {

    /** The default as text, empty where nothing is set. */
    public String defaultText() {
        return defaultValue == null ? "" : allowed.show().apply(defaultValue);
    }
}
