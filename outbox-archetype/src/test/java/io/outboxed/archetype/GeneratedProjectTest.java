package io.outboxed.archetype;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code mvn archetype:generate} makes of this archetype. */
class GeneratedProjectTest {
    private static final String LIBRARIES = System.getProperty("java.class.path");

    @TempDir
    static Path project;

    @TempDir
    static Path classes;

    @BeforeAll
    static void generate() throws Exception {
        Template.generate(project);
    }

    @Test
    void no_file_is_forgotten_and_nothing_is_left_to_fill_in() throws Exception {
        assertThat(Template.forgotten()).isEmpty();
        try (Stream<Path> all = Files.walk(project)) {
            assertThat(all.filter(Files::isRegularFile))
                    .allSatisfy(file -> assertThat(Files.readString(file))
                            .doesNotContain("${package}", "${artifactId}", "${groupId}", "${version}"));
        }
    }

    @Test
    void its_versions_are_those_of_this_build() throws IOException {
        String build = Files.readString(Path.of("..", "pom.xml"));
        Matcher pinned = Pattern.compile("<artifactId>([^<]+)</artifactId>\\s*<version>([^<$]+)</version>")
                .matcher(Template.pom());
        List<String> versions = new ArrayList<>();
        while (pinned.find()) {
            versions.add(pinned.group(1));
            assertThat(build).as(pinned.group()).contains(">" + pinned.group(2) + "<");
        }
        assertThat(versions)
                .contains("outbox-ejb", "outbox-datasource", "outbox-testkit", "payara-micro", "maven-war-plugin");
    }

    @Test
    void its_server_starts_on_the_port_that_its_build_has_reserved() throws IOException {
        String port = "test.server.port";
        assertThat(Template.pom())
                .contains("<portName>" + port + "</portName>", "<" + port + ">${" + port + "}</" + port + ">");
        assertThat(Files.readString(project.resolve("src/test/resources/arquillian.xml")))
                .contains("<property name=\"port\">${" + port + ":", ">--port ${" + port + ":");
    }

    @Test
    void its_test_without_a_server_passes() throws Exception {
        compile();

        String output = run(
                "java",
                "-cp",
                classes + File.pathSeparator + LIBRARIES,
                TestRun.class.getName(),
                "org.acme.shop.OrdersTest");

        assertThat(output).endsWith("2 passed, 0 failed\n");
    }

    /** With the resources, and with the test that needs a server. */
    private static void compile() throws IOException {
        Files.createDirectory(classes.resolve("META-INF"));
        for (String resource : List.of("META-INF/persistence.xml", "META-INF/microprofile-config.properties")) {
            Files.copy(project.resolve("src/main/resources").resolve(resource), classes.resolve(resource));
        }
        List<String> arguments =
                new ArrayList<>(List.of("-parameters", "-proc:none", "-cp", LIBRARIES, "-d", classes.toString()));
        try (Stream<Path> all = Files.walk(project.resolve("src"))) {
            all.filter(file -> file.toString().endsWith(".java"))
                    .map(Path::toString)
                    .forEach(arguments::add);
        }
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        int result =
                ToolProvider.getSystemJavaCompiler().run(null, messages, messages, arguments.toArray(String[]::new));
        assertThat(result).as(messages.toString(StandardCharsets.UTF_8)).isZero();
    }

    private static String run(String program, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", program).toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }
}
