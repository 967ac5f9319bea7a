package io.outboxed.rest;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.outboxed.internal.database.StoreException;
import org.junit.jupiter.api.Test;

/** What operators can do is in the Java API; this jar only lets them in. */
class RestArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.outboxed.rest");

    @Test
    void everything_is_done_by_the_public_api() {
        classes()
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                "java..",
                                "jakarta..",
                                "org.eclipse.microprofile.openapi..",
                                "io.outboxed",
                                "io.outboxed.admin",
                                "io.outboxed.rest..",
                                "io.outboxed.internal.config",
                                "io.outboxed.internal.log")
                        .or(type(StoreException.class)))
                .check(CLASSES);
    }

    @Test
    void no_right_is_checked_outside_the_table() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jakarta.annotation.security..", "jakarta.servlet..", "jakarta.transaction..")
                .check(CLASSES);
    }
}
