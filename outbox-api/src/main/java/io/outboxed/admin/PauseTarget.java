package io.outboxed.admin;

import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * What is paused: everything, an event type, or a handler.
 *
 * @param kind what the name is
 * @param name the event type or the handler, exactly, 1 to 128 characters; empty for {@link Kind#ALL}. It need not
 *     exist yet: a handler can be paused before it is deployed. {@link #requireValidName} says which names can exist
 */
public record PauseTarget(Kind kind, String name) {
    /** How long the name of an event type or handler may be. */
    public static final int MAX_NAME = 128;

    private static final Pattern TYPE_NAME = Pattern.compile("[A-Za-z0-9._:/-]+");
    private static final Pattern HANDLER_NAME = Pattern.compile("[A-Za-z0-9._-]+");

    private static final PauseTarget EVERYTHING = new PauseTarget(Kind.ALL, "");

    /** What a name stands for. */
    public enum Kind {
        /** All handlers, for all types. */
        ALL,
        /** All handlers, for events of one type. */
        TYPE,
        /** One handler, for all types. */
        HANDLER
    }

    /**
     * Checks the name.
     *
     * @param kind what the name is
     * @param name the name
     * @throws NullPointerException if one is null
     * @throws IllegalArgumentException if the name is missing, not allowed, or too long
     */
    public PauseTarget {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(name, "name");
        if ((kind == Kind.ALL) != name.isEmpty() || name.length() > MAX_NAME) {
            throw new IllegalArgumentException("the name of a paused " + kind + " has " + name.length()
                    + " characters, expected " + (kind == Kind.ALL ? "0" : "1 to " + MAX_NAME));
        }
    }

    /**
     * Stands for all deliveries.
     *
     * @return the target
     */
    public static PauseTarget everything() {
        return EVERYTHING;
    }

    /**
     * Stands for all deliveries of an event type.
     *
     * @param type the event's type
     * @return the target
     */
    public static PauseTarget type(String type) {
        return new PauseTarget(Kind.TYPE, type);
    }

    /**
     * Stands for all deliveries to a handler.
     *
     * @param handler the handler's name
     * @return the target
     */
    public static PauseTarget handler(String handler) {
        return new PauseTarget(Kind.HANDLER, handler);
    }

    /**
     * Checks that an event type or a handler can have this name: a new pause of any other name would never cover
     * anything. Such a target exists all the same, so that an older pause of that name can be resumed.
     *
     * @throws IllegalArgumentException if the name has characters other than letters, digits, '.', '_' and '-', for a
     *     type also ':' and '/'
     */
    public void requireValidName() {
        switch (kind) {
            case ALL -> {}
            case TYPE -> {
                if (name.equals("*")) {
                    throw new IllegalArgumentException("no event has the type \"*\", under which handlers of any type"
                            + " are registered: pause the handler, or everything");
                }
                requireName(TYPE_NAME, "letters, digits, '.', '_', '-', ':' and '/'");
            }
            case HANDLER -> requireName(HANDLER_NAME, "letters, digits, '.', '_' and '-'");
        }
    }

    private void requireName(Pattern possible, String characters) {
        if (!possible.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "no " + kind.name().toLowerCase(Locale.ROOT) + " can have this name, expected " + characters);
        }
    }

    /**
     * Whether this target includes a delivery.
     *
     * @param type the event's type, not null
     * @param handler the handler's name, not null
     * @return true if it is part of this target
     */
    public boolean covers(String type, String handler) {
        return switch (kind) {
            case ALL -> true;
            case TYPE -> name.equals(type);
            case HANDLER -> name.equals(handler);
        };
    }

    /**
     * Human-readable.
     *
     * @return {@code everything}, {@code type order.placed} or {@code handler mail}
     */
    @Override
    public String toString() {
        return switch (kind) {
            case ALL -> "everything";
            case TYPE -> "type " + name;
            case HANDLER -> "handler " + name;
        };
    }
}
