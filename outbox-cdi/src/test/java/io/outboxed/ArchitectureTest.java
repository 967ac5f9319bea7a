package io.outboxed;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which package may depend on which: packages instead of modules, so only this test keeps them apart. */
class ArchitectureTest {
    private static final long MOST_IN_A_PACKAGE = 25;
    private static final Path ROOT = Path.of("..");
    private static final String MAIN = Path.of("src", "main").toString();
    private static final String INTERNAL_PACKAGE =
            Path.of("io", "outboxed", "internal").toString();
    private static final String MAIN_SOURCES = Path.of("src", "main", "java").toString();
    private static final Pattern INTERNAL = Pattern.compile("(?m)^import (?:static )?io\\.outboxed\\.internal\\.");
    /** The parts of the library that are built like applications of it; none of them offers an internal type. */
    private static final Set<String> MAY_USE_INTERNAL_TYPES = Set.of(
            "outbox-ejb", // starts the engine
            "outbox-admin", // configuration and log
            "outbox-kafka", // a handler that sends several events at once
            "outbox-jms", // its outages are noticed as that one's are
            "outbox-cli", // the operations without a container
            "outbox-testkit", // steps the relay
            "outbox-bench"); // measures parts of the engine

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.outboxed");

    @Test
    void the_public_api_does_not_depend_on_internal_packages() {
        noClasses()
                .that()
                .resideInAnyPackage("io.outboxed", "io.outboxed.admin", "io.outboxed.spi")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.outboxed.internal..")
                .check(CLASSES);
    }

    @Test
    void outside_the_library_only_some_of_its_modules_use_internal_types() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            Set<String> users = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains(MAIN))
                    .filter(file -> !file.toString().contains(INTERNAL_PACKAGE))
                    .filter(file -> INTERNAL.matcher(read(file)).find())
                    .map(file -> ROOT.relativize(file).getName(0).toString())
                    .collect(Collectors.toSet());

            assertThat(users).isNotEmpty().isSubsetOf(MAY_USE_INTERNAL_TYPES);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void the_store_needs_nothing_but_the_jdk() {
        classes()
                .that()
                .resideInAnyPackage(
                        "io.outboxed.internal.store..",
                        "io.outboxed.internal.schema..",
                        "io.outboxed.internal.database..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "javax.sql..",
                        "io.outboxed",
                        "io.outboxed.admin",
                        "io.outboxed.internal.store..",
                        "io.outboxed.internal.schema..",
                        "io.outboxed.internal.database..")
                .check(CLASSES);
    }

    @Test
    void operations_need_no_container() {
        classes()
                .that()
                .resideInAPackage("io.outboxed.internal.operations")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "io.outboxed",
                        "io.outboxed.admin",
                        "io.outboxed.internal.operations",
                        "io.outboxed.internal.store..",
                        "io.outboxed.internal.schema..",
                        "io.outboxed.internal.database..",
                        "io.outboxed.internal.retention",
                        "io.outboxed.internal.partitions",
                        "io.outboxed.internal.log")
                .check(CLASSES);
    }

    @Test
    void what_also_runs_by_hand_needs_a_connection_and_no_container() {
        noClasses()
                .that()
                .resideInAnyPackage("io.outboxed.internal.retention..", "io.outboxed.internal.partitions..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "jakarta..",
                        "org..",
                        "io.outboxed.internal.boot..",
                        "io.outboxed.internal.config..",
                        "io.outboxed.internal.metrics..",
                        "io.outboxed.internal.relay..")
                .check(CLASSES);
    }

    @Test
    void the_interface_between_relay_and_store_does_not_mention_jdbc() {
        noClasses()
                .that()
                .resideInAPackage("io.outboxed.internal.store")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.sql..", "javax.sql..", "io.outboxed.internal.store.jdbc..")
                .check(CLASSES);
    }

    @Test
    void the_relay_is_layered_node_loop_workers() {
        layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage("io.outboxed.internal.relay..")
                .layer("node")
                .definedBy("io.outboxed.internal.relay.node")
                .layer("loop")
                .definedBy("io.outboxed.internal.relay.loop")
                .layer("workers")
                .definedBy("io.outboxed.internal.relay.workers")
                .layer("failure")
                .definedBy("io.outboxed.internal.relay.failure")
                .layer("shared")
                .definedBy("io.outboxed.internal.relay")
                .whereLayer("node")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("loop")
                .mayOnlyBeAccessedByLayers("node")
                .whereLayer("workers")
                .mayOnlyBeAccessedByLayers("node", "loop")
                .whereLayer("failure")
                .mayOnlyBeAccessedByLayers("loop")
                .check(CLASSES);
    }

    @Test
    void no_package_of_any_module_is_a_catch_all() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            Map<Path, Long> packages = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains(MAIN_SOURCES))
                    .collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));

            assertThat(packages)
                    .hasSizeGreaterThan(30)
                    .allSatisfy((name, count) ->
                            assertThat(count).as(name.toString()).isLessThanOrEqualTo(MOST_IN_A_PACKAGE));
        }
    }

    @Test
    void the_relay_knows_no_container() {
        noClasses()
                .that()
                .resideInAPackage("io.outboxed.internal.relay..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jakarta..", "org.eclipse.microprofile..", "org.hibernate..")
                .check(CLASSES);
    }

    @Test
    void nothing_inside_needs_an_ejb_container() {
        noClasses()
                .that()
                .resideInAPackage("io.outboxed.internal..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("jakarta.ejb..")
                .check(CLASSES);
    }

    @Test
    void capture_and_relay_do_not_know_each_other() {
        noClasses()
                .that()
                .resideInAPackage("io.outboxed.internal.capture..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.outboxed.internal.relay..")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("io.outboxed.internal.relay..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.outboxed.internal.capture..", "io.outboxed.internal.handlers..")
                .check(CLASSES);
    }

    @Test
    void packages_have_no_dependency_cycles() {
        slices().matching("io.outboxed.internal.(*)..")
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    @Test
    void the_library_creates_no_threads_of_its_own() {
        noClasses()
                .that()
                .resideInAPackage("io.outboxed..")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.util.concurrent.Executors")
                .orShould()
                .callConstructor(Thread.class, Runnable.class)
                .because("threads belong to the container")
                .check(CLASSES);
    }

    @Test
    void calling_a_handler_does_not_know_how_it_was_found() {
        noClasses()
                .that()
                .resideInAPackage("io.outboxed.internal.handlers.invocation")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.outboxed.internal.handlers")
                .check(CLASSES);
    }

    @Test
    void no_class_is_loaded_by_a_name_from_a_row() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.outboxed.internal.store..",
                        "io.outboxed.internal.relay..",
                        "io.outboxed.internal.handlers..")
                .should()
                .callMethod(Class.class, "forName", String.class)
                .orShould()
                .callMethod(ClassLoader.class, "loadClass", String.class)
                .check(CLASSES);
    }
}
