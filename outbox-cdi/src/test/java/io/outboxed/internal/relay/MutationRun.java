package io.outboxed.internal.relay;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.tools.ToolProvider;

/** Compiles each mutated source by itself and lets the simulation run with it, in front of the class path. */
final class MutationRun {
    private static final Path SOURCES = Path.of("src/main/java/io/outboxed/internal/relay");
    private static final String SEEDS = System.getProperty("mutation.seeds", "2000");
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    private MutationRun() {}

    /** {@code all|part of a name} */
    public static void main(String[] arguments) throws Exception {
        String wanted = arguments.length == 0 || arguments[0].equals("all") ? "" : arguments[0];
        List<String> survivors = new ArrayList<>();
        for (Mutation each : Mutation.ALL) {
            if (each.name().contains(wanted)) {
                Optional<String> caught = run(each);
                System.out.println(
                        each.name() + ": " + caught.map(by -> "caught by " + by).orElse("SURVIVED"));
                if (caught.isEmpty()) {
                    survivors.add(each.name());
                }
            }
        }
        if (!survivors.isEmpty()) {
            System.out.println("not noticed: " + survivors);
            System.exit(1);
        }
    }

    /** @return the first violation */
    private static Optional<String> run(Mutation mutation) throws IOException, InterruptedException {
        Path classes = Files.createTempDirectory("mutation");
        compile(mutation, classes);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classes + System.getProperty("path.separator") + CLASS_PATH,
                Simulation.class.getName(),
                "1",
                SEEDS,
                "1",
                "1"));
        if (mutation.theme() != null) {
            command.add(mutation.theme().name());
        }
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var output = process.inputReader()) {
            return output.lines().filter(line -> line.startsWith("seed ")).reduce((first, later) -> first);
        } finally {
            process.waitFor();
        }
    }

    private static void compile(Mutation mutation, Path classes) throws IOException {
        String source = Files.readString(SOURCES.resolve(mutation.file() + ".java"));
        int at = source.indexOf(mutation.find());
        if (at < 0 || source.indexOf(mutation.find(), at + 1) >= 0) {
            throw new IllegalStateException(
                    mutation.name() + ": " + mutation.file() + " does not hold exactly once: " + mutation.find());
        }
        Path mutated = Files.createDirectories(classes.resolve("source")).resolve(mutation.file() + ".java");
        Files.writeString(mutated, source.replace(mutation.find(), mutation.replacement()));
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-proc:none", "-parameters", "-cp", CLASS_PATH, "-d", classes.toString(), "--release", "17");
            if (!compiler.getTask(null, files, null, options, null, files.getJavaFileObjects(mutated))
                    .call()) {
                throw new IllegalStateException(mutation.name() + " does not compile");
            }
        }
    }
}
