package io.outboxed.guards;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A part of a source that is taken away or replaced.
 *
 * @param find occurs exactly once in the file; its lines may be indented differently there
 */
public record Edit(Path file, String find, String replacement) {

    public String applyTo(String source) {
        Matcher found = Pattern.compile(Arrays.stream(find.strip().split("\\n\\s*"))
                        .map(Pattern::quote)
                        .collect(Collectors.joining("\\n\\s*")))
                .matcher(source);
        if (!found.find()) {
            throw new IllegalStateException(file + " does not hold: " + find);
        }
        String edited = source.substring(0, found.start()) + replacement.strip() + source.substring(found.end());
        if (found.find(found.start() + 1)) {
            throw new IllegalStateException(file + " holds more than once: " + find);
        }
        return edited;
    }
}
