package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.rest.access.AdminOperation;
import io.outboxed.rest.access.Role;
import io.outboxed.shop.AdminClient.Answer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may do what, by which path. */
interface AdminAccessTests extends AdminFixture {
    String UNKNOWN = "018f3c1e-7b1a-7000-8000-00000000abcd";

    static Stream<Arguments> rolesAndOperations() {
        return Arrays.stream(Role.values())
                .flatMap(role -> Arrays.stream(AdminOperation.values()).map(each -> Arguments.of(role, each)));
    }

    @ParameterizedTest
    @MethodSource("io.outboxed.shop.AdminAccessTests#rolesAndOperations")
    default void each_role_with_each_operation(Role role, AdminOperation operation) {
        Answer answer = harmless(as(role.name().toLowerCase(Locale.ROOT)), operation);

        if (grants(role, operation.role())) {
            assertThat(answer.status()).as(answer.body()).isEqualTo(admitted(operation));
        } else {
            assertThat(answer.status()).as(answer.body()).isEqualTo(403);
            assertThat(answer.json().getString("type")).isEqualTo("urn:outboxed:problem:forbidden");
        }
    }

    private static boolean grants(Role held, Role needed) {
        return switch (needed) {
            case VIEWER -> true;
            case OPERATOR -> held == Role.OPERATOR || held == Role.ADMIN;
            case EDITOR -> held == Role.EDITOR;
            case ADMIN -> held == Role.ADMIN;
        };
    }

    /** An empty body is refused only after everything else was accepted. */
    private static int admitted(AdminOperation operation) {
        if (!operation.method().equals("GET")) {
            return 400;
        }
        return switch (operation) {
            case MESSAGES, AGGREGATE -> 400;
            case MESSAGE, CONTENT, OPERATION -> 404;
            default -> 200;
        };
    }

    @ParameterizedTest
    @EnumSource
    default void nobody_else_may_do_anything(AdminOperation operation) {
        assertThat(harmless(as("nobody"), operation).status()).isEqualTo(403);
        for (AdminClient stranger : List.of(as(null), AdminClient.at(ServerExtension.port(), "admin", "guessed"))) {
            Answer answer = harmless(stranger, operation);
            assertThat(answer.status()).as(answer.body()).isEqualTo(401);
            assertThat(answer.header("WWW-Authenticate")).startsWith("Basic");
        }
    }

    @Test
    default void what_is_not_in_the_table_is_refused() {
        AdminClient admin = as("admin");

        assertThat(as(null).get("nowhere").status()).isEqualTo(401);
        for (String path : List.of("", "nowhere", "status/", "status;v=1", "application.wadl", "messages/1")) {
            assertThat(admin.get(path).status()).as(path).isEqualTo(404);
        }
        for (String method : List.of("PUT", "DELETE", "PATCH", "OPTIONS")) {
            Answer answer = admin.send(method, "status", null);
            assertThat(answer.status()).as(method).isEqualTo(405);
            assertThat(answer.header("Allow")).isEqualTo("GET, HEAD");
        }
        assertThat(admin.send("HEAD", "status", null).status()).isEqualTo(200);
    }

    /** An application that lets the server find its resources must not open a second way to ours. */
    @Test
    default void no_other_application_of_the_war_serves_the_resources() {
        AdminClient admin = as("admin");

        assertThat(admin.sendTo("scanning/dead-letters", "GET", null).status())
                .as("it serves what it finds, and the shop's own path of that name is not hidden")
                .isEqualTo(200);
        for (AdminOperation operation : AdminOperation.values()) {
            Answer answer = admin.sendTo(
                    "scanning/admin/v1/" + operation.path().replace("{id}", UNKNOWN),
                    operation.method(),
                    operation.method().equals("GET") ? null : "{}",
                    "Content-Type",
                    "application/json");
            assertThat(answer.status()).as(operation + answer.body()).isEqualTo(404);
        }
    }

    private static Answer harmless(AdminClient client, AdminOperation operation) {
        String path = operation.path().replace("{id}", UNKNOWN);
        return operation.method().equals("GET") ? client.get(path) : client.post(path, "{}");
    }
}
