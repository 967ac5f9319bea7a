package io.outboxed.cli.output;

import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;

/** Writes maps, lists, texts, numbers and null as JSON on one line. Durations are seconds, times are ISO 8601. */
public final class Json {
    private final StringBuilder text = new StringBuilder();

    private Json() {}

    public static String text(Object value) {
        Json json = new Json();
        json.write(value);
        return json.text.toString();
    }

    private void write(Object value) {
        if (value == null || value instanceof Boolean || value instanceof Number) {
            text.append(value);
        } else if (value instanceof Map<?, ?> map) {
            object(map);
        } else if (value instanceof Collection<?> list) {
            array(list);
        } else if (value instanceof Duration duration) {
            text.append(duration.toMillis() / 1000.0);
        } else {
            string(value.toString());
        }
    }

    private void object(Map<?, ?> map) {
        text.append('{');
        for (Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator(); entries.hasNext(); ) {
            Map.Entry<?, ?> entry = entries.next();
            string(entry.getKey().toString());
            text.append(':');
            write(entry.getValue());
            text.append(entries.hasNext() ? "," : "");
        }
        text.append('}');
    }

    private void array(Collection<?> list) {
        text.append('[');
        for (Iterator<?> items = list.iterator(); items.hasNext(); ) {
            write(items.next());
            text.append(items.hasNext() ? "," : "");
        }
        text.append(']');
    }

    private void string(String value) {
        text.append('"');
        for (char c : value.toCharArray()) {
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                // the encoding of the standard output may know ASCII only
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
