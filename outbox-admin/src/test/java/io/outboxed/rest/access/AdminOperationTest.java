package io.outboxed.rest.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.rest.AdminApplication;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of rights and the resources are the same list. */
class AdminOperationTest {

    @Test
    void each_resource_method_is_in_the_table_under_its_own_method_and_path() {
        List<AdminOperation> performed = new ArrayList<>();
        for (Method method : resourceMethods()) {
            RequiresAccess admits = method.getAnnotation(RequiresAccess.class);
            assertThat(admits).as(method + " has @RequiresAccess").isNotNull();
            assertThat(admits.value().method() + " " + admits.value().path())
                    .as(method.toString())
                    .isEqualTo(httpMethod(method).orElseThrow() + " "
                            + path(method).replaceFirst("^admin/v1/", ""));
            performed.add(admits.value());
        }
        assertThat(performed).containsExactlyInAnyOrder(AdminOperation.values());
    }

    @Test
    void each_resource_is_public_so_that_containers_can_guard_its_methods() {
        assertThat(resourceMethods()).allMatch(method -> java.lang.reflect.Modifier.isPublic(method.getModifiers()));
        assertThat(AccessInterceptor.class.getAnnotation(RequiresAccess.class)).isNotNull();
    }

    private static List<Method> resourceMethods() {
        return new AdminApplication()
                .getClasses().stream()
                        .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                        .filter(method -> httpMethod(method).isPresent() || method.isAnnotationPresent(Path.class))
                        .toList();
    }

    private static Optional<String> httpMethod(Method method) {
        return Arrays.stream(method.getAnnotations())
                .map(Annotation::annotationType)
                .map(type -> type.getAnnotation(HttpMethod.class))
                .filter(found -> found != null)
                .map(HttpMethod::value)
                .findFirst();
    }

    private static String path(Method method) {
        return Stream.of(method.getDeclaringClass().getAnnotation(Path.class), method.getAnnotation(Path.class))
                .filter(path -> path != null && !path.value().isEmpty())
                .map(Path::value)
                .collect(Collectors.joining("/"));
    }

    @ParameterizedTest
    @EnumSource
    void each_operation_is_found_by_its_path(AdminOperation operation) {
        String path = "admin/v1/" + operation.path().replace("{id}", "018f3c1e-7b1a-7000-8000-00000000abcd");

        assertThat(AdminOperation.of(AdminOperation.at(path), operation.method()))
                .contains(operation);
        assertThat(AdminOperation.of(AdminOperation.at(path), "DELETE")).isEmpty();
    }

    @Test
    void a_head_is_a_get() {
        assertThat(AdminOperation.of(AdminOperation.at("admin/v1/pauses"), "HEAD"))
                .contains(AdminOperation.PAUSES);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/status",
                "status/",
                "STATUS",
                "status;v=1",
                "status%2f",
                "%73tatus",
                "status/../shards",
                "messages/1",
                "messages/018f3c1e-7b1a-7000-8000-00000000abcd/",
                "messages/018f3c1e-7b1a-7000-8000-00000000abcd;a/content",
                "messages/018f3c1e-7b1a-7000-8000-00000000abcd%2fcontent",
                "application.wadl"
            })
    void no_path_is_written_in_two_ways(String path) {
        assertThat(AdminOperation.at("admin/v1/" + path)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "status",
                "admin/status",
                "admin/v1",
                "admin/v2/status",
                "ADMIN/v1/status",
                "x/admin/v1/status"
            })
    void nothing_is_beside_the_root(String path) {
        assertThat(AdminOperation.at(path)).isEmpty();
    }

    /** An application that scans would find ours under its own path. */
    @Test
    void no_resource_has_a_path_that_an_application_may_have_too() {
        assertThat(resourceMethods()).allMatch(method -> path(method).startsWith("admin/v1/"));
    }
}
