package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.rest.access.AdminOperation;
import io.outboxed.shop.AdminClient.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets in, and by which path. */
interface AdminAccessTests extends AdminFixture {
    String SECOND_WAY = "a second way in";

    @ParameterizedTest
    @EnumSource
    default void nobody_else_may_do_anything(AdminOperation operation) {
        assertThat(AdminRoleTests.harmless(as("nobody"), operation).status()).isEqualTo(403);
        for (AdminClient stranger : List.of(as(null), as(null).withPassword("admin", "guessed"))) {
            Answer answer = AdminRoleTests.harmless(stranger, operation);
            assertThat(answer.status()).as(answer.body()).isEqualTo(401);
            assertThat(answer.header("WWW-Authenticate")).startsWith("Basic");
        }
    }

    @Test
    default void what_is_not_in_the_table_is_refused() {
        AdminClient admin = as("admin");

        assertThat(as(null).get("nowhere").status()).isEqualTo(401);
        for (String path : List.of(
                "", "nowhere", "status/", "status;v=1", "application.wadl", "messages/1", "messages/1-1-1-1-1")) {
            assertThat(admin.get(path).status()).as(path).isEqualTo(404);
        }
        for (String method : List.of("PUT", "DELETE", "PATCH", "OPTIONS")) {
            Answer answer = admin.send(method, "status", null);
            assertThat(answer.status()).as(method).isEqualTo(405);
            assertThat(answer.header("Allow")).isEqualTo("GET, HEAD");
        }
        assertThat(admin.send("HEAD", "status", null).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2147483648", "9223372036854775807"})
    default void a_length_that_fits_into_no_int_is_too_long_for_those_who_are_let_in(String length) {
        assertThat(as(null).announce("operations/replay", length)).isEqualTo(AnnouncedBody.refusal(401));
        assertThat(as("nobody").announce("operations/replay", length)).isEqualTo(AnnouncedBody.refusal(403));
        assertThat(as("operator").announce("nowhere", length)).isEqualTo(AnnouncedBody.refusal(404));
        assertThat(as("operator").announce("status", length)).isEqualTo(AnnouncedBody.refusal(405));
        assertThat(as("operator").announce("operations/replay", length)).isEqualTo(AnnouncedBody.refusal(413));
    }

    /** A server may refuse such an address itself, whoever sends it. */
    @ParameterizedTest
    @ValueSource(strings = {"[", "status?x=%zz", "status?x=[", "status?[=1"})
    default void an_address_that_is_not_a_legal_uri_is_refused_and_no_failure(String path) {
        assertThat(as(null).getIllegal(path)).isIn(401, 400);
        assertThat(as("nobody").getIllegal(path)).isIn(path.equals("[") ? 404 : 403, 400);
        assertThat(as("viewer").getIllegal(path)).isIn(404, 400);
    }

    /** An application that lets the server find its resources must not open a second way to ours. */
    @Test
    default void no_other_application_of_the_war_serves_the_resources() {
        AdminClient admin = as("admin");

        assertThat(admin.sendTo("scanning/dead-letters", "GET", null).status())
                .as("it serves what it finds, and the shop's own path of that name is not hidden")
                .isEqualTo(200);
        for (AdminOperation operation : AdminOperation.values()) {
            Answer answer = scanned(admin, operation, operation.method(), "application/json");
            assertThat(answer.status()).as(operation + answer.body()).isEqualTo(404);
        }
    }

    /** A runtime would list the methods of a path, or refuse a media type, before it asks any of them. */
    @Test
    default void nothing_shows_there_that_the_resources_exist() {
        for (AdminClient client : List.of(as(null), as("admin"))) {
            for (AdminOperation operation : AdminOperation.values()) {
                for (String method : List.of("OPTIONS", "HEAD", "PUT", "DELETE", operation.method())) {
                    Answer answer = scanned(client, operation, method, "text/plain");
                    assertThat(answer.status())
                            .as(method + " " + operation + answer.body())
                            .isEqualTo(404);
                    assertThat(answer.header("Allow")).isNull();
                }
            }
        }
        for (String spelled :
                List.of("admin/v1//status", "admin;a=b/v1/status", "admin/v1/status;a=b", "%61dmin/v1/status")) {
            assertThat(as("admin")
                            .sendTo("scanning/" + spelled, "OPTIONS", null)
                            .status())
                    .as(spelled)
                    .isEqualTo(404);
        }
        for (String list : List.of("pauses", "audit")) {
            Answer answer = as("admin").get(list);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).doesNotContain(SECOND_WAY);
        }
    }

    /** Sends a body that pauses everything, if somebody reads it. */
    private static Answer scanned(AdminClient client, AdminOperation operation, String method, String contentType) {
        return client.sendTo(
                "scanning/admin/v1/" + operation.path().replace("{id}", AdminRoleTests.UNKNOWN),
                method,
                method.equals("POST") || method.equals("PUT") ? "{\"reason\":\"" + SECOND_WAY + "\"}" : null,
                "Content-Type",
                contentType);
    }
}
