package io.outboxed.internal.config;

/**
 * One setting, as the reader validates it and {@code docs/configuration.md} lists it.
 *
 * @param defaultValue the default
 * @param meaning one sentence
 */
public record ConfigKey<T>(String name, T defaultValue, ValueSpec<T> allowed, String meaning) {

    /** The default as text; empty if there is none. */
    public String defaultText() {
        return defaultValue == null ? "" : allowed.show().apply(defaultValue);
    }
}
