package io.outboxed.internal.relay;

import io.outboxed.guards.EditedClasses;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compiles the files that each mutation edits and runs the simulation with them in front of the class path. The relay
 * as it is runs through the same worlds: a violation there proves nothing.
 */
final class MutationRun {
    private static final long SEEDS = Long.getLong("mutation.seeds", 2_000);
    private static final String CLASS_PATH = System.getProperty("java.class.path");
    private static final Pattern VIOLATION = Pattern.compile("seed (\\d+): (.*)");
    private static final int SHOWN = 160;

    private record Caught(long seed, String by) {}

    private final List<String> wrong = new ArrayList<>();

    private MutationRun() {}

    /** {@code all|part of a name} */
    public static void main(String[] arguments) throws Exception {
        String wanted = arguments.length == 0 || arguments[0].equals("all") ? "" : arguments[0];
        Map<String, List<Mutation>> byTheme = new LinkedHashMap<>();
        Mutation.ALL.stream()
                .filter(each -> each.name().contains(wanted))
                .forEach(each -> byTheme.computeIfAbsent(nameOf(each.theme()), key -> new ArrayList<>())
                        .add(each));
        long startedAt = System.nanoTime();
        MutationRun run = new MutationRun();
        for (List<Mutation> each : byTheme.values()) {
            run.theme(each.get(0).theme(), each);
        }
        long minutes = (System.nanoTime() - startedAt) / 60_000_000_000L;
        long seconds = (System.nanoTime() - startedAt) / 1_000_000_000L % 60;
        System.out.printf(
                "%d mutations, %d min %d s%n",
                byTheme.values().stream().mapToInt(List::size).sum(), minutes, seconds);
        if (!run.wrong.isEmpty()) {
            System.out.println("not as it should be: " + run.wrong);
            System.exit(1);
        }
    }

    private static String nameOf(Theme theme) {
        return theme == null ? "any theme" : theme.name();
    }

    private void theme(Theme theme, List<Mutation> mutations) throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>();
        long farthest = 0;
        for (Mutation each : mutations) {
            Optional<Caught> caught = simulate(
                    theme,
                    SEEDS,
                    EditedClasses.compile(each.edits(), CLASS_PATH)
                            .orElseThrow(() -> new IllegalStateException("does not compile: " + each.name())));
            farthest = Math.max(farthest, caught.map(Caught::seed).orElse(SEEDS));
            lines.add("  " + each.name() + ": "
                    + caught.map(by -> "caught at seed " + by.seed() + " (" + by.by() + ")")
                            .orElse("SURVIVED " + SEEDS + " seeds"));
            if (caught.isEmpty()) {
                wrong.add(each.name());
            }
        }
        Optional<Caught> unmutated = simulate(theme, farthest, null);
        System.out.println(nameOf(theme) + ": the relay as it is, seeds 1 to " + farthest + ": "
                + unmutated
                        .map(by -> "VIOLATION at seed " + by.seed() + " (" + by.by() + ")")
                        .orElse("clean"));
        if (unmutated.isPresent()) {
            wrong.add(nameOf(theme) + " of the relay as it is");
        }
        lines.forEach(System.out::println);
    }

    /** @return the first violation */
    private static Optional<Caught> simulate(Theme theme, long seeds, Path classes)
            throws IOException, InterruptedException {
        String inFront = classes == null ? "" : classes + System.getProperty("path.separator");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                inFront + CLASS_PATH,
                Simulation.class.getName(),
                "1",
                Long.toString(seeds),
                "1",
                "1"));
        if (theme != null) {
            command.add(theme.name());
        }
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Optional<Caught> caught;
        try (var output = process.inputReader()) {
            List<Caught> all = output.lines()
                    .map(VIOLATION::matcher)
                    .filter(Matcher::matches)
                    .map(line -> new Caught(Long.parseLong(line.group(1)), shown(line.group(2))))
                    .toList();
            caught = all.stream().findFirst();
        }
        if (process.waitFor() != 0) {
            throw new IllegalStateException("ended with " + process.exitValue() + ": " + command);
        }
        return caught;
    }

    private static String shown(String violation) {
        String first = violation.replaceFirst("; \\[.*", "");
        return first.length() <= SHOWN ? first : first.substring(0, SHOWN) + "...";
    }
}
