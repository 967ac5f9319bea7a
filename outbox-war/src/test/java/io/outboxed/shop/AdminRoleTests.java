package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.rest.access.AdminOperation;
import io.outboxed.rest.access.Role;
import io.outboxed.shop.AdminClient.Answer;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What each role may do. */
interface AdminRoleTests {
    String UNKNOWN = "018f3c1e-7b1a-7000-8000-00000000abcd";

    /** @param user the role in lower case */
    AdminClient as(String user);

    static Stream<Arguments> rolesAndOperations() {
        return Arrays.stream(Role.values())
                .flatMap(role -> Arrays.stream(AdminOperation.values()).map(each -> Arguments.of(role, each)));
    }

    @ParameterizedTest
    @MethodSource("io.outboxed.shop.AdminRoleTests#rolesAndOperations")
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

    /** Changes nothing: there is no such event or operation, and the body is empty. */
    static Answer harmless(AdminClient client, AdminOperation operation) {
        String path = operation.path().replace("{id}", UNKNOWN);
        return operation.method().equals("GET") ? client.get(path) : client.post(path, "{}");
    }
}
