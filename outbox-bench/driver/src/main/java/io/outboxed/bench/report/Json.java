package io.outboxed.bench.report;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads and writes flat JSON objects on one line, which is all that is needed here. */
final class Json {
    private static final Pattern MEMBER =
            Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\":(?:\"((?:[^\"\\\\]|\\\\.)*)\"|([^,}]*))");

    private Json() {}

    static String object(Map<String, Object> members) {
        return members.entrySet().stream()
                .map(member -> "\"" + escaped(member.getKey()) + "\":" + value(member.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    /** Values as text; null stays null. */
    static Map<String, String> members(String line) {
        Map<String, String> members = new LinkedHashMap<>();
        Matcher member = MEMBER.matcher(line);
        while (member.find()) {
            String text = member.group(2) != null ? unescaped(member.group(2)) : member.group(3);
            members.put(unescaped(member.group(1)), "null".equals(text) ? null : text);
        }
        return members;
    }

    private static String value(Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof Double number) {
            return number(number);
        }
        return value instanceof Number || value instanceof Boolean
                ? value.toString()
                : "\"" + escaped(value.toString()) + "\"";
    }

    /** Prints four significant digits. */
    static String number(double value) {
        if (!Double.isFinite(value)) {
            return "null";
        }
        double size = Math.abs(value);
        int decimals = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 1 ? 3 : 4;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    private static String unescaped(String text) {
        return text.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\");
    }
}
