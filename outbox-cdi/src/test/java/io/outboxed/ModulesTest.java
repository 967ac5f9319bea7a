package io.outboxed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Which module may use what, read from the sources of all modules: no module has all others on its class path. The
 * packages of {@code outbox-api} and {@code outbox-cdi} are the subject of {@link ArchitectureTest}.
 */
class ModulesTest {
    private static final long MOST_IN_A_PACKAGE = 25;
    private static final Path ROOT = Path.of("..");
    private static final Path MAIN_SOURCES = Path.of("src", "main", "java");
    private static final Pattern NO_CODE = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*|\"\"\".*?\"\"\""
            + "|\"(?:[^\"\\\\\\n]++|\\\\.)*+\"|'(?:[^'\\\\\\n]|\\\\.)[^'\\n]*'");
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package [\\w.]+;");
    private static final Pattern OWN_TYPE = Pattern.compile("\\bio\\.outboxed((?:\\.[a-z]\\w*)*)\\.[A-Z]");
    private static final Pattern LIBRARY = Pattern.compile("(?m)^import (?:static )?([a-z]\\w*(?:\\.[a-z]\\w*)?)\\.");
    private static final Pattern THREAD =
            Pattern.compile("\\bnew Thread\\(|\\bExecutors\\.new|\\bThread\\.(?:ofVirtual|startVirtualThread)\\(");

    /** What is not shipped, or is an application. Applications see the public API only, except for the benchmarks. */
    private static final Set<String> NOT_SHIPPED = Set.of(
            "examples",
            "operator-contract",
            "outbox-archetype",
            "outbox-bench",
            "outbox-faults",
            "outbox-war",
            "server-config");

    private static final Set<String> SHIPPED = Set.of(
            "outbox-api",
            "outbox-cdi",
            "outbox-ejb",
            "outbox-datasource",
            "outbox-cli",
            "outbox-admin",
            "outbox-kafka",
            "outbox-jms",
            "outbox-testkit");

    /** Of the packages below {@code io.outboxed.internal}; modules that are not listed use none. */
    private static final Map<String, Set<String>> INTERNAL_PACKAGES = Map.of(
            "outbox-ejb",
            Set.of("boot", "config", "database", "log", "relay", "relay.node", "signal"),
            "outbox-admin",
            Set.of("config", "database", "log"),
            "outbox-kafka",
            Set.of("config", "handlers", "log", "store", "store.cluster"),
            "outbox-jms",
            Set.of("config", "handlers", "log", "store.cluster"),
            "outbox-cli",
            Set.of(
                    "database",
                    "operations",
                    "operations.check",
                    "partitions",
                    "retention",
                    "schema",
                    "store",
                    "store.jdbc"),
            "operator-contract",
            Set.of("database", "operations", "schema", "store"));

    /** These are built from parts of the engine: the kit steps the relay, the benchmarks measure it. */
    private static final Set<String> ANY_INTERNAL_PACKAGE = Set.of("outbox-cdi", "outbox-testkit", "outbox-bench");

    /** Beside the JDK's packages that begin with {@code java}, except JDBC. */
    private static final Map<String, Set<String>> LIBRARIES = Map.of(
            "outbox-api",
            Set.of("jakarta.enterprise", "jakarta.inject", "jakarta.interceptor"),
            "outbox-datasource",
            Set.of("java.sql", "javax.naming", "javax.sql", "org.eclipse"),
            "outbox-ejb",
            Set.of(
                    "jakarta.annotation",
                    "jakarta.ejb",
                    "jakarta.enterprise",
                    "jakarta.inject",
                    "jakarta.servlet",
                    "java.sql", // drivers inside an application
                    "javax.naming"),
            "outbox-cli",
            Set.of("java.sql", "picocli"),
            "outbox-admin",
            Set.of(
                    "jakarta.annotation",
                    "jakarta.enterprise",
                    "jakarta.inject",
                    "jakarta.interceptor",
                    "jakarta.json",
                    "jakarta.ws",
                    "org.eclipse"),
            "outbox-kafka",
            Set.of(
                    "jakarta.annotation",
                    "jakarta.enterprise",
                    "jakarta.inject",
                    "jakarta.transaction",
                    "org.apache",
                    "org.eclipse"),
            "outbox-jms",
            Set.of(
                    "jakarta.enterprise",
                    "jakarta.inject",
                    "jakarta.jms",
                    "jakarta.transaction",
                    "javax.naming",
                    "org.eclipse"));

    /** Packages below {@code io.outboxed} with the modules that may name them: the first is their own. */
    private static final Map<String, List<String>> USED_BY = Map.of(
            "datasource", List.of("outbox-datasource", "outbox-cdi", "outbox-testkit"),
            "ejb", List.of("outbox-ejb"),
            "cli", List.of("outbox-cli"),
            "rest", List.of("outbox-admin"),
            "kafka", List.of("outbox-kafka"),
            "jms", List.of("outbox-jms"),
            "testkit", List.of("outbox-testkit"),
            "operator", List.of("operator-contract"));

    /** The only threads that no container starts. */
    private static final Set<String> THREADS = Set.of(
            "BrokerConnection.java", // closes a broken producer, which may take forever
            "StrictSender.java", // a producer with transactions belongs to one thread
            "SteppedRelay.java", // the test kit has no container
            "PersistenceUnits.java"); // nor here

    private static final List<Path> SOURCES = sources();

    @Test
    void each_module_with_code_is_either_shipped_or_named_here() {
        Set<String> modules = SOURCES.stream().map(ModulesTest::module).collect(Collectors.toSet());

        assertThat(modules)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(SHIPPED, NOT_SHIPPED).flatMap(Set::stream).toList());
    }

    @Test
    void outside_the_library_only_these_internal_packages_are_used() {
        Map<String, Set<String>> used = new TreeMap<>();
        for (Path source : SOURCES) {
            if (!ANY_INTERNAL_PACKAGE.contains(module(source))) {
                namedPackages(source)
                        .filter(name -> name.startsWith("internal."))
                        .forEach(name -> used.computeIfAbsent(module(source), module -> new TreeSet<>())
                                .add(name.substring("internal.".length())));
            }
        }

        assertThat(used).isEqualTo(INTERNAL_PACKAGES);
    }

    @Test
    void modules_beside_the_library_do_not_know_each_other() {
        List<String> wrong = new ArrayList<>();
        for (Path source : SOURCES) {
            namedPackages(source)
                    .map(name -> name.split("\\.")[0])
                    .filter(name ->
                            USED_BY.containsKey(name) && !USED_BY.get(name).contains(module(source)))
                    .forEach(name -> wrong.add(source + ": io.outboxed." + name));
        }

        assertThat(wrong).isEmpty();
    }

    @Test
    void each_small_module_uses_these_libraries_and_no_others() {
        Map<String, Set<String>> used = new TreeMap<>();
        for (Path source : SOURCES) {
            if (LIBRARIES.containsKey(module(source))) {
                LIBRARY.matcher(code(source))
                        .results()
                        .map(library -> library.group(1))
                        .filter(library -> !library.startsWith("java.") || library.equals("java.sql"))
                        .filter(library -> !library.equals("io.outboxed"))
                        .forEach(library -> used.computeIfAbsent(module(source), module -> new TreeSet<>())
                                .add(library));
            }
        }

        assertThat(used).isEqualTo(LIBRARIES);
    }

    @Test
    void no_shipped_module_starts_threads_except_these() {
        assertThat(SOURCES.stream()
                        .filter(source -> SHIPPED.contains(module(source)))
                        .filter(source -> THREAD.matcher(code(source)).find())
                        .map(source -> source.getFileName().toString()))
                .containsExactlyInAnyOrderElementsOf(THREADS);
    }

    @Test
    void no_package_of_any_module_is_a_catch_all() {
        Map<Path, Long> packages =
                SOURCES.stream().collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));

        assertThat(packages)
                .hasSizeGreaterThan(30)
                .allSatisfy(
                        (name, count) -> assertThat(count).as(name.toString()).isLessThanOrEqualTo(MOST_IN_A_PACKAGE));
    }

    private static String module(Path source) {
        return ROOT.relativize(source).getName(0).toString();
    }

    /** The packages whose types this source names, by an import or in full, without {@code io.outboxed.} */
    private static Stream<String> namedPackages(Path source) {
        return OWN_TYPE.matcher(PACKAGE.matcher(code(source)).replaceFirst(""))
                .results()
                .map(type -> type.group(1))
                .filter(name -> !name.isEmpty())
                .map(name -> name.substring(1));
    }

    private static String code(Path source) {
        try {
            return NO_CODE.matcher(Files.readString(source)).replaceAll("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> sources() {
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    String name = directory.getFileName().toString();
                    return name.equals("target") || name.equals(".git")
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (file.toString().endsWith(".java") && file.toString().contains(MAIN_SOURCES.toString())) {
                        found.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }
}
