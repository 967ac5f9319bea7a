package io.outboxed;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Which package may know which: packages instead of modules, so this test is their only fence. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.outboxed");

    @Test
    void the_public_api_knows_nothing_of_the_inside() {
        noClasses()
                .that()
                .resideInAnyPackage("io.outboxed", "io.outboxed.spi")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.outboxed.internal..")
                .check(CLASSES);
    }

    @Test
    void the_store_needs_nothing_but_the_jdk() {
        classes()
                .that()
                .resideInAPackage("io.outboxed.internal.store")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "javax.sql..", "io.outboxed", "io.outboxed.internal.store")
                .check(CLASSES);
    }

    @Test
    void the_relay_knows_no_container() {
        noClasses()
                .that()
                .resideInAPackage("io.outboxed.internal.relay")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jakarta..", "org.eclipse.microprofile..", "org.hibernate..")
                .check(CLASSES);
    }

    @Test
    void capture_and_relay_do_not_know_each_other() {
        noClasses()
                .that()
                .resideInAPackage("io.outboxed.internal.capture")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.outboxed.internal.relay")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("io.outboxed.internal.relay")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.outboxed.internal.capture", "io.outboxed.internal.handlers")
                .check(CLASSES);
    }

    @Test
    void no_packages_depend_on_each_other_in_a_circle() {
        slices().matching("io.outboxed.internal.(*)..")
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    @Test
    void nobody_makes_threads_of_his_own() {
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
