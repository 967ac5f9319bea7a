package io.outboxed.docs;

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
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each test package says where to start, and the classes that it names exist. */
class TestPackagesTest {
    private static final Path ROOT = Path.of("..");
    private static final Path TEST_SOURCES = Path.of("src", "test", "java");
    private static final String DESCRIPTION = "package-info.java";
    /** The archetype writes the tests in it into a package that its user chooses. */
    private static final Path TEMPLATE = Path.of("archetype-resources");

    private static final Pattern NAMED = Pattern.compile("\\{@(?:code|link)\\s+@?([A-Z]\\w+)}");

    private static final List<Path> SOURCES = sources();

    @Test
    void each_test_package_names_a_class_to_start_with() {
        Map<Path, List<Path>> packages = SOURCES.stream()
                .filter(source -> source.toString().contains(TEST_SOURCES.toString()))
                .filter(source -> !source.toString().contains(TEMPLATE.toString()))
                .collect(Collectors.groupingBy(Path::getParent));

        assertThat(packages).hasSizeGreaterThan(50).allSatisfy((directory, sources) -> {
            assertThat(sources).contains(directory.resolve(DESCRIPTION));
            assertThat(named(directory.resolve(DESCRIPTION))).isNotEmpty();
        });
    }

    @Test
    void each_class_that_is_named_exists() {
        Set<String> classes = SOURCES.stream()
                .map(source -> source.getFileName().toString().replace(".java", ""))
                .collect(Collectors.toSet());

        assertThat(SOURCES.stream()
                        .filter(source -> source.endsWith(DESCRIPTION))
                        .filter(source -> source.toString().contains(TEST_SOURCES.toString())))
                .allSatisfy(source -> assertThat(classes).containsAll(named(source)));
    }

    private static List<String> named(Path description) {
        try {
            return NAMED.matcher(Files.readString(description).replaceAll("\\R \\* ", " "))
                    .results()
                    .map(name -> name.group(1))
                    .toList();
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
                    if (file.toString().endsWith(".java")) {
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
