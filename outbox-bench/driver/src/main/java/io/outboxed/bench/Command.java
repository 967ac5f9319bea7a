package io.outboxed.bench;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The command that repeats this run, without what the build sets itself. */
final class Command {
    private static final Set<String> OF_THE_BUILD =
            Set.of("bench.distribution", "bench.war", "bench.directory", "bench.report", "bench.password");

    private Command() {}

    static String of(Map<String, String> properties) {
        return "mvn -Pbench"
                + new TreeMap<>(properties)
                        .entrySet().stream()
                                .filter(option -> option.getKey().startsWith(Options.PREFIX))
                                .filter(option -> !OF_THE_BUILD.contains(option.getKey()))
                                .filter(option -> !option.getValue().isBlank())
                                .map(option -> " -D" + option.getKey() + "=" + option.getValue())
                                .collect(Collectors.joining());
    }
}
