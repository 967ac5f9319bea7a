package io.outboxed.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The versions on docs/testing.md are those with which this build tests. */
class TestingPageTest {
    private static final Path PAGE = Path.of("../docs/testing.md");
    private static final Path PARENT = Path.of("../pom.xml");
    private static final Path SERVER_TESTS = Path.of("../outbox-war/pom.xml");
    private static final Pattern PROPERTY = Pattern.compile("<([\\w.-]+\\.version)>([^<]+)</");
    private static final Pattern DECLARED = Pattern.compile(
            "<(?:it\\.adapter\\.)?artifactId>([^<]+)</[\\w.]+>\\s*<(?:it\\.adapter\\.)?version>([^<]+)</");
    private static final Pattern COORDINATES = Pattern.compile("(?:`|-Dartifact=)[\\w.]+:([\\w-]+):([\\w.]+)[`:]");

    @Test
    void each_artifact_has_the_version_of_this_build() throws IOException {
        Map<String, Set<String>> build = declaredVersions();
        String page = Files.readString(PAGE);
        Set<String> artifacts = new HashSet<>();

        Stream.of(DECLARED, COORDINATES)
                .flatMap(pattern -> pattern.matcher(page).results())
                .forEach(found -> {
                    artifacts.add(found.group(1));
                    assertThat(build).as(found.group()).containsKey(found.group(1));
                    assertThat(build.get(found.group(1))).as(found.group()).containsExactly(found.group(2));
                });

        assertThat(artifacts)
                .contains(
                        "outbox-testkit",
                        "junit-jupiter",
                        "arquillian-bom",
                        "arquillian-payara-micro-managed",
                        "wildfly-arquillian-container-managed",
                        "arquillian-liberty-managed-jakarta",
                        "jboss-logging",
                        "payara-micro",
                        "wildfly-dist",
                        "openliberty-runtime");
    }

    @ParameterizedTest
    @CsvSource({
        "payara.version, Payara Micro ([\\d.]+\\d)",
        "wildfly.version, WildFly ([\\d.]+Final)",
        "wildfly.version, wildfly-(?:dist-)?([\\d.]+Final)",
        "liberty.version, Open Liberty ([\\d.]+\\d)",
        "liberty.version, openliberty-runtime-([\\d.]+\\d)",
        "weld.version, Weld ([\\d.]+\\d)",
        "narayana.version, Narayana ([\\d.]+\\d)",
        "h2.version, H2 ([\\d.]+\\d)",
        "yasson.version, Yasson ([\\d.]+\\d)",
        "arquillian.version, a jar that stops at ([\\d.]+\\d)"
    })
    void each_product_has_the_version_of_this_build(String property, Pattern onThePage) throws IOException {
        assertThat(onThePage.matcher(Files.readString(PAGE)).results().map(found -> found.group(1)))
                .isNotEmpty()
                .allSatisfy(
                        version -> assertThat(properties().get(property) + ".").startsWith(version + "."));
    }

    @Test
    void the_war_plugin_has_the_version_of_this_build() throws IOException {
        Matcher plugin = Pattern.compile("`maven-war-plugin` \\(([\\d.]+)\\)").matcher(Files.readString(PAGE));

        assertThat(plugin.find()).isTrue();
        assertThat(declaredVersions().get("maven-war-plugin")).containsExactly(plugin.group(1));
    }

    private static Map<String, Set<String>> declaredVersions() throws IOException {
        Map<String, String> properties = properties();
        Map<String, Set<String>> versions = new HashMap<>();
        for (Path pom : new Path[] {PARENT, SERVER_TESTS}) {
            DECLARED.matcher(Files.readString(pom))
                    .results()
                    .forEach(found -> versions.computeIfAbsent(found.group(1), artifact -> new HashSet<>())
                            .add(resolved(found, properties)));
        }
        versions.put("junit-jupiter", versions.get("junit-bom"));
        versions.put("outbox-testkit", versions.get("outboxed"));
        return versions;
    }

    private static String resolved(MatchResult found, Map<String, String> properties) {
        String version = found.group(2);
        return version.startsWith("${") ? properties.get(version.substring(2, version.length() - 1)) : version;
    }

    private static Map<String, String> properties() throws IOException {
        Map<String, String> properties = new HashMap<>();
        PROPERTY.matcher(Files.readString(PARENT))
                .results()
                .forEach(found -> properties.put(found.group(1), found.group(2)));
        Matcher project = Pattern.compile("<artifactId>outboxed</artifactId>\\s*<version>([^<]+)<")
                .matcher(Files.readString(PARENT));
        assertThat(project.find()).isTrue();
        properties.put("project.version", project.group(1));
        return properties;
    }
}
