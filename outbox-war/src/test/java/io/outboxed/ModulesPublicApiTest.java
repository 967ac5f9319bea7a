package io.outboxed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What an application can name beside {@code outbox-api}: the data source, the listener for an EAR's {@code web.xml},
 * and the test kit. As in the {@code PublicApiTest} of that module, no addition and no removal goes unnoticed.
 */
class ModulesPublicApiTest {
    private static final Path COMMITTED = Path.of("src/test/public-api.txt");
    private static final Path FOUND = Path.of("target/public-api.txt");
    private static final Path DATA_SOURCE =
            Path.of("../outbox-datasource/target/classes/io/outboxed/datasource/ConfiguredDataSource.class");
    private static final Path LISTENER = Path.of("../outbox-ejb/target/classes/io/outboxed/ejb/WebContext.class");
    private static final Path TEST_KIT = Path.of("../outbox-testkit/target/classes/io/outboxed/testkit");

    @Test
    void the_public_types_of_the_other_modules_are_the_committed_ones() throws IOException {
        String found = Stream.of(listing().split("(?m)^}\\R"))
                .map(ModulesPublicApiTest::describe)
                .filter(type -> type.startsWith("public "))
                .collect(Collectors.joining("\n"));
        Files.writeString(FOUND, found);

        assertThat(found)
                .as("If this is meant: cp outbox-war/%s outbox-war/%s, and say so in CHANGELOG.md", FOUND, COMMITTED)
                .isEqualTo(Files.readString(COMMITTED));
    }

    /** The declaration and, sorted, its public and protected members. */
    private static String describe(String listed) {
        List<String> lines =
                listed.lines().filter(line -> !line.startsWith("Compiled from")).toList();
        return Stream.concat(lines.stream().limit(1), lines.stream().skip(1).sorted())
                .map(line -> line.replace("java.lang.", "").replace("java.util.", "") + "\n")
                .collect(Collectors.joining());
    }

    private static String listing() throws IOException {
        String[] arguments = Stream.of(Stream.of("-protected"), classes().map(Path::toString))
                .flatMap(each -> each)
                .toArray(String[]::new);
        StringWriter out = new StringWriter();
        int exit = ToolProvider.findFirst("javap")
                .orElseThrow()
                .run(new PrintWriter(out), new PrintWriter(out), arguments);
        assertThat(exit).as(out.toString()).isZero();
        return out.toString();
    }

    private static Stream<Path> classes() throws IOException {
        try (Stream<Path> files = Files.list(TEST_KIT)) {
            List<Path> kit = files.filter(file -> file.toString().endsWith(".class"))
                    .filter(file -> !file.endsWith("package-info.class"))
                    .sorted()
                    .toList();
            return Stream.concat(Stream.of(DATA_SOURCE, LISTENER), kit.stream());
        }
    }
}
