package io.outboxed.guards;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs the tests of each guard twice: as the code is, and with the guard taken away by classes in front of the class
 * path. They must pass first and fail then. {@code <modules> <part of a test's name, or all> <class path of the tests>}
 */
final class GuardRun {
    private static final String SEPARATOR = System.getProperty("path.separator");
    private static final long LONGEST_SECONDS = 300;
    private static final int SHOWN = 140;
    private static final String BITES = "bites";
    /** Of the test's own method. To be looked at: it may be what the guard prevents, or an accident of the edit. */
    private static final String BY_EXCEPTION = BITES + " by an exception";

    private static final Path ROOT = Path.of("..");
    private static final Path TEMPORARY = Path.of("target");
    /** By name: it needs JUnit. */
    private static final String RUNNER = GuardRun.class.getPackageName() + ".GuardedTests";

    private static final String EXTENSIONS = "META-INF/services/org.junit.jupiter.api.extension.Extension";

    /** For the servers that a test has started. */
    private static final long SECONDS_TO_END = 30;

    /** Contracts that several classes of one database run, or whose classes are named otherwise. */
    private static final Map<String, String> CLASSES = Map.of(
            "RowBatchContract", "RowTest",
            "StoredRowContract", "RowTest",
            "PartitionAuditContract", "PartitionsTest",
            "OneDeliveryContract", "JavaApiTest",
            "ManyDeadLettersContract", "JavaApiTest",
            "DropsContract", "JavaApiTest",
            "KilledDatabaseContract", "CommandLineTest",
            "DeadLetterCommandsContract", "CommandLineTest",
            "CleanupCommandContract", "CommandLineTest",
            "BulkCommandsContract", "CommandLineTest");

    private final String classPath;
    private final Map<String, Path> sources = testSources();
    private final List<String> wrong = new ArrayList<>();
    private final Map<String, String> table = new TreeMap<>();

    private Map<String, Result> intact = Map.of();

    /** @param kind of what was thrown */
    private record Result(boolean failed, String failure, String kind) {}

    private GuardRun(String classPath) {
        this.classPath = classPath;
    }

    public static void main(String[] arguments) throws Exception {
        List<Path> modules =
                Arrays.stream(arguments[0].split(",")).map(ROOT::resolve).toList();
        String wanted = arguments[1].equals("all") ? "" : arguments[1];
        GuardRun run = new GuardRun(classPath(modules, arguments[2]));
        List<Guard> chosen = GuardTable.all().stream()
                .filter(guard -> guard.tests().stream().anyMatch(test -> test.contains(wanted)))
                .toList();
        if (chosen.isEmpty()) {
            System.out.println("-Dguard=" + wanted + ": no test with this in its name is in a table of guards");
            System.exit(1);
        }
        List<Guard> guards = chosen.stream()
                .filter(guard -> modules.stream()
                        .anyMatch(run.source(guard, guard.tests().get(0))::startsWith))
                .toList();
        long startedAt = System.nanoTime();
        System.out.println("as the code is: "
                + guards.stream().mapToInt(guard -> guard.tests().size()).sum() + " tests");
        run.intact = run.run(guards, "", LONGEST_SECONDS * 10);
        for (int i = 0; i < guards.size(); i++) {
            System.out.println((i + 1) + "/" + guards.size());
            run.check(guards.get(i));
        }
        System.out.println();
        run.table.forEach((test, result) -> System.out.println(test + ": " + result));
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startedAt);
        System.out.printf(
                "%s: %d tests, %d guards, %d min %d s%n",
                arguments[0], run.table.size(), guards.size(), seconds / 60, seconds % 60);
        List<String> byException = run.table.entrySet().stream()
                .filter(test -> test.getValue().startsWith(BY_EXCEPTION))
                .map(Map.Entry::getKey)
                .toList();
        if (!byException.isEmpty()) {
            System.out.println("not by a failed assertion: " + byException);
        }
        if (!run.wrong.isEmpty()) {
            System.out.println("not as it should be: " + run.wrong);
            System.exit(1);
        }
    }

    private void check(Guard guard) throws IOException, InterruptedException {
        Optional<Path> classes = EditedClasses.compile(guard.edits(), classPath);
        Map<String, Result> edited =
                classes.isEmpty() ? Map.of() : run(List.of(guard), classes.get() + SEPARATOR, LONGEST_SECONDS);
        for (String test : guard.tests()) {
            String result = classes.isEmpty()
                    ? "ITS EDIT DOES NOT COMPILE"
                    : inWords(intact.get(selector(guard, test)), edited.get(selector(guard, test)));
            System.out.println("  " + test + ": " + result);
            if (!result.startsWith(BITES)) {
                wrong.add(test);
            }
            table.put(test, result);
        }
    }

    private static String inWords(Result intact, Result edited) {
        if (intact == null || intact.failed()) {
            return "FAILS AS THE CODE IS (" + (intact == null ? "not run" : intact.failure()) + ")";
        }
        if (edited == null) {
            return "HAS NOT ENDED, OR NOT BEGUN";
        }
        if (!edited.failed()) {
            return "DOES NOT BITE";
        }
        return switch (edited.kind()) {
            case GuardedTests.ASSERTION -> BITES + " (" + edited.failure() + ")";
            case GuardedTests.LINKAGE -> "HAS NOT RUN (" + edited.failure() + ")";
            case GuardedTests.BESIDE -> "HAS NOT FAILED ITSELF (" + edited.failure() + ")";
            default -> BY_EXCEPTION + " (" + edited.failure() + ")";
        };
    }

    private static String classPath(List<Path> modules, String given) throws IOException {
        String all = given + SEPARATOR + runnerAlone();
        for (Path module : modules) {
            all += SEPARATOR + module.resolve("target/test-classes");
        }
        return all;
    }

    /** Other tests of this module would disturb those of another one. */
    private static Path runnerAlone() throws IOException {
        String name = RUNNER.replace('.', '/') + ".class";
        Path alone = Files.createTempDirectory(TEMPORARY, "runner");
        Path copy = alone.resolve(name);
        Files.createDirectories(copy.getParent());
        try (var runner = GuardRun.class.getClassLoader().getResourceAsStream(name)) {
            Files.copy(runner, copy);
        }
        Path extensions = alone.resolve(EXTENSIONS);
        Files.createDirectories(extensions.getParent());
        Files.writeString(extensions, RUNNER);
        return alone;
    }

    /** By class and method. */
    private Map<String, Result> run(List<Guard> guards, String inFront, long seconds)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                inFront + classPath,
                RUNNER));
        guards.forEach(guard -> guard.tests().forEach(test -> command.add(selector(guard, test))));
        Path output = Files.createTempFile(TEMPORARY, "guarded", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            process.destroy();
            if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        }
        Map<String, Result> results = new HashMap<>();
        try (Stream<String> lines = Files.lines(output)) {
            lines.filter(line -> line.startsWith(GuardedTests.RESULT))
                    .map(line -> line.split("\t", -1))
                    .forEach(line -> results.merge(
                            line[1],
                            new Result(!line[2].equals("SUCCESSFUL"), shown(line[3]), line[4]),
                            (one, other) -> one.failed() ? one : other));
        }
        return results;
    }

    private static String shown(String failure) {
        return failure.length() <= SHOWN ? failure : failure.substring(0, SHOWN) + "...";
    }

    private String selector(Guard guard, String test) {
        return className(source(guard, test)) + "#" + test.substring(test.indexOf('.') + 1);
    }

    /** Of the class that runs the test. */
    private Path source(Guard guard, String test) {
        String name = test.substring(0, test.indexOf('.'));
        String runs = name.endsWith("Contract")
                ? guard.database() + CLASSES.getOrDefault(name, name.replaceFirst("Contract$", "Test"))
                : name;
        return sources.getOrDefault(runs, sources.get(guard.database() + "RelayStoreTest"));
    }

    private static String className(Path source) {
        Path java = ROOT.resolve(source.subpath(1, 2)).resolve("src/test/java");
        return java.relativize(source).toString().replace(".java", "").replace('/', '.');
    }

    /** By class name. */
    private static Map<String, Path> testSources() {
        Map<String, Path> found = new HashMap<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.filter(each -> Files.isDirectory(each.resolve("src/test/java")))
                    .toList()) {
                try (Stream<Path> files = Files.walk(module.resolve("src/test/java"))) {
                    files.filter(file -> file.toString().endsWith(".java"))
                            .forEach(file ->
                                    found.put(file.getFileName().toString().replace(".java", ""), file));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }
}
