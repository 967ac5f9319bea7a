package io.outboxed.internal.database;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The conditions of one query, with their values in the same order. Those for which there is no value are left out. */
public final class Conditions {
    private final Dialect dialect;
    private final List<String> texts = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();

    public Conditions(Dialect dialect) {
        this.dialect = dialect;
    }

    /** @param value or null */
    public Conditions where(String condition, Object value) {
        return value == null ? this : and(condition, value);
    }

    /** @param time or null */
    public Conditions where(String condition, Instant time) {
        return time == null ? this : and(condition, EpochMicros.of(time));
    }

    /**
     * Only this very text. When MySQL and MariaDB compare, they ignore spaces at the end.
     *
     * @param equation {@code column = ?}
     * @param text or null
     */
    public Conditions exactly(String equation, String text) {
        where(equation, text);
        return dialect.isMySqlFamily()
                ? where("CHAR_LENGTH(" + equation.replace(" = ?", ") = CHAR_LENGTH(?)"), text)
                : this;
    }

    /** @param all the values of the condition, none of them null */
    public Conditions and(String condition, Object... all) {
        texts.add(condition);
        values.addAll(List.of(all));
        return this;
    }

    public List<String> texts() {
        return texts;
    }

    public List<Object> values() {
        return values;
    }

    /** The values, followed by the limit. */
    public Object[] values(int limit) {
        return Stream.concat(values.stream(), Stream.of(limit)).toArray();
    }
}
