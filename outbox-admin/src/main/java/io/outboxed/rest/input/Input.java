package io.outboxed.rest.input;

import io.outboxed.rest.problem.Problem;
import io.outboxed.rest.problem.Problem.Field;
import io.outboxed.rest.problem.ProblemException;
import io.outboxed.rest.problem.ProblemType;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/**
 * The parameters of a request by name. Collects its problems, and corrects nothing silently: what is not asked for is
 * unknown. Values are compared with columns; none is ever evaluated.
 */
public final class Input {
    /** As long as a name in the database. */
    public static final int MAX_NAME = 255;

    private static final int MAX_PROBLEMS = 20;
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

    private final Map<String, ?> values;
    private final String prefix;
    private final List<Field> problems;
    private final Set<String> asked = new HashSet<>();
    private final List<Input> inner = new ArrayList<>();

    /** @param values texts, booleans, numbers as written, and maps of them */
    Input(Map<String, ?> values, List<Field> problems) {
        this(values, "", new ArrayList<>(problems));
    }

    private Input(Map<String, ?> values, String prefix, List<Field> problems) {
        this.values = values;
        this.prefix = prefix;
        this.problems = problems;
    }

    /**
     * A text without control characters.
     *
     * @return null if it is missing
     */
    public String text(String name, int most) {
        return text(name, most, Character::isISOControl, "a control character");
    }

    /**
     * A text that the application has chosen.
     *
     * @return null if it is missing
     */
    public String storedText(String name, int most) {
        return text(name, most, codePoint -> codePoint == 0, "U+0000");
    }

    /** A lone surrogate has no UTF-8 form, and PostgreSQL stores no NUL. */
    private String text(String name, int most, IntPredicate refused, String what) {
        Object value = value(name);
        if (value == null) {
            return null;
        }
        if (!(value instanceof String text)) {
            return problem(name, "expected a text");
        }
        if (text.isEmpty() || text.length() > most) {
            return problem(name, "expected 1 to " + most + " characters");
        }
        if (text.codePoints().anyMatch(refused.or(Input::isUnpaired))) {
            return problem(name, "contains " + what + " or an unpaired surrogate");
        }
        return text;
    }

    /** A text of any length and content; it must not be compared with anything. */
    public String requiredContent(String name) {
        Object value = value(name);
        if (value == null) {
            return problem(name, "is missing");
        }
        return value instanceof String text ? text : problem(name, "expected a text");
    }

    private static boolean isUnpaired(int codePoint) {
        return Character.getType(codePoint) == Character.SURROGATE;
    }

    public String requiredText(String name, int most) {
        return value(name) == null ? problem(name, "is missing") : text(name, most);
    }

    public String requiredStoredText(String name, int most) {
        return value(name) == null ? problem(name, "is missing") : storedText(name, most);
    }

    /** @return null if it is missing */
    public Instant instant(String name) {
        String text = text(name, 40);
        if (text == null) {
            return null;
        }
        try {
            Instant time = Instant.parse(text);
            if (!time.isBefore(Instant.EPOCH) && !time.isAfter(LATEST)) {
                return time;
            }
        } catch (DateTimeException e) {
            return problem(name, "expected a time like 2026-01-31T12:00:00Z");
        }
        return problem(name, "expected a time between the years 1970 and 9999");
    }

    /** A text is accepted too, because an address has nothing else. */
    public int whole(String name, int absent, int most) {
        Object value = value(name);
        if (value == null) {
            return absent;
        }
        if (value.toString().matches("[0-9]{1,9}")) {
            int number = Integer.parseInt(value.toString());
            if (number >= 1 && number <= most) {
                return number;
            }
        }
        problem(name, "expected a whole number from 1 to " + most);
        return absent;
    }

    /** False if it is missing. */
    public boolean flag(String name) {
        Object value = value(name);
        if (value == null) {
            return false;
        }
        if (!value.equals(true) && !value.equals(false) && !value.equals("true") && !value.equals("false")) {
            problem(name, "expected true or false");
        }
        return value.equals(true) || value.equals("true");
    }

    /** A constant in lower case. */
    public <E extends Enum<E>> E oneOf(String name, Class<E> type) {
        String text = requiredText(name, MAX_NAME);
        if (text == null) {
            return null;
        }
        for (E each : type.getEnumConstants()) {
            if (word(each).equals(text)) {
                return each;
            }
        }
        return problem(
                name,
                "expected "
                        + Arrays.stream(type.getEnumConstants())
                                .map(Input::word)
                                .collect(Collectors.joining(", ")));
    }

    /** The same, or a default if it is missing. */
    public <E extends Enum<E>> E oneOf(String name, Class<E> type, E absent) {
        return value(name) == null ? absent : oneOf(name, type);
    }

    private static String word(Enum<?> each) {
        return each.name().toLowerCase(Locale.ROOT);
    }

    /** An object inside; empty if it is missing. */
    public Input object(String name) {
        Object value = value(name);
        Map<String, Object> fields = new HashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> fields.put((String) key, each));
        } else if (value != null) {
            problem(name, "expected an object");
        }
        Input object = new Input(fields, prefix + name + ".", problems);
        inner.add(object);
        return object;
    }

    private Object value(String name) {
        asked.add(name);
        return values.get(name);
    }

    /** @return null */
    public <T> T problem(String name, String problem) {
        problems.add(new Field(prefix + name, problem));
        return null;
    }

    /** Call it after the last question. */
    public void check() {
        reportUnknown();
        if (!problems.isEmpty()) {
            throw new ProblemException(new Problem(
                    ProblemType.INVALID,
                    "Parameters are missing or wrong; nothing was changed.",
                    problems.stream().limit(MAX_PROBLEMS).toList()));
        }
    }

    private void reportUnknown() {
        Set<String> unknown = new TreeSet<>(values.keySet());
        unknown.removeAll(asked);
        String expected = "is unknown; expected one of " + String.join(", ", new TreeSet<>(asked));
        unknown.stream()
                .limit(MAX_PROBLEMS)
                .forEach(name -> problem(name.length() <= 40 ? name : name.substring(0, 40), expected));
        inner.forEach(Input::reportUnknown);
    }
}
