package io.outboxed;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameEndingWith;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Timer;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.Test;

/**
 * Which package may depend on which: packages instead of modules, so only this test keeps them apart.
 * {@link ModulesTest} has the rules for all modules.
 */
class ArchitectureTest {
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
                .resideInAPackage("io.outboxed.internal.operations..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "io.outboxed",
                        "io.outboxed.admin",
                        "io.outboxed.internal.operations..",
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
                .layer("writes")
                .definedBy("io.outboxed.internal.relay.writes")
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
                .whereLayer("writes")
                .mayOnlyBeAccessedByLayers("loop")
                .whereLayer("failure")
                .mayOnlyBeAccessedByLayers("loop")
                .check(CLASSES);
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
                .and()
                .resideOutsideOfPackage("io.outboxed.servers..")
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Executors.class, ForkJoinPool.class, Timer.class)
                .orShould()
                .callConstructorWhere(target(owner(assignableTo(Thread.class))))
                .orShould()
                .callConstructorWhere(target(owner(assignableTo(ThreadPoolExecutor.class))))
                .orShould()
                .callMethodWhere(
                        target(owner(assignableTo(CompletionStage.class))).and(target(nameEndingWith("Async"))))
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
