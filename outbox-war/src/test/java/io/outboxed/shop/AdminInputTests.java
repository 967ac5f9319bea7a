package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.rest.access.AdminOperation;
import io.outboxed.rest.access.Role;
import io.outboxed.shop.AdminClient.Answer;
import jakarta.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever is sent to an operation, the answer says what is wrong with it, and nothing is changed. */
interface AdminInputTests extends AdminFixture {
    List<String> WRONG_BODIES = List.of(
            "",
            "null",
            "[]",
            "7",
            "{",
            "{}}",
            "<reason/>",
            "{\"reason\":1}",
            "{\"reason\":\"\"}",
            "{\"reason\":\"a\\u0000b\"}",
            "{\"reason\":\"a\\ud800b\"}",
            "{\"reason\":\"x\",\"reason\":\"y\"}",
            "{\"reason\":\"" + "x".repeat(10_000) + "\"}",
            "{\"reason\":\"x\",\"raeson\":\"x\"}",
            "{\"reason\":\"x\",\"filter\":7,\"all\":\"perhaps\",\"handler\":[],\"allowReordering\":2,\"kind\":\"moon\","
                    + "\"name\":{},\"payload\":1,\"perSecond\":0}",
            "[".repeat(5_000));

    List<String> WRONG_QUERIES = List.of(
            "hendler=x",
            "limit=0",
            "limit=x",
            "limit=99999999999999999999",
            "limit=1&limit=2",
            "after=forged",
            "after=%00",
            "until=yesterday",
            "since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z",
            "messageId=1-1-1-1-1",
            "state=moon",
            "type=" + "x".repeat(300),
            "id=1%20or%201=1&type=a%00b");

    @ParameterizedTest
    @EnumSource
    default void wrong_input_is_refused_and_changes_nothing(AdminOperation operation) {
        String path = operation.path().replace("{id}", AdminRoleTests.UNKNOWN);
        AdminClient client = as(operation.role() == Role.EDITOR ? "editor" : "admin");
        String needed = operation == AdminOperation.MESSAGES ? "state=ready&" : "";
        String before = traces();

        if (operation.method().equals("GET")) {
            WRONG_QUERIES.forEach(query -> named(refused(client.get(path + "?" + needed + query), query), query));
        } else {
            WRONG_BODIES.forEach(body -> refused(client.post(path, body), body));
            WRONG_QUERIES.forEach(query -> assertThat(
                            refused(client.post(path + "?" + query, "{\"reason\":\"x\"}"), query)
                                    .json()
                                    .getString("detail"))
                    .contains("This address has no parameters"));
        }

        assertThat(traces()).isEqualTo(before);
    }

    private static Answer refused(Answer answer, String input) {
        String sent = input.substring(0, Math.min(input.length(), 100));
        assertThat(answer.status()).as(sent + " -> " + answer.body()).isEqualTo(400);
        assertThat(answer.header("Content-Type")).as(sent).contains("application/problem+json");
        assertThat(answer.json().getString("detail")).as(sent).contains("nothing was changed");
        return answer;
    }

    /** Also where the request lacks something else: all that is wrong is named. */
    private static void named(Answer refused, String query) {
        List<String> sent = Arrays.stream(query.split("&"))
                .map(parameter -> parameter.replaceFirst("=.*", ""))
                .toList();
        assertThat(refused.json().getJsonArray("errors").getValuesAs(JsonObject.class))
                .as(query.substring(0, Math.min(query.length(), 100)) + " -> " + refused.body())
                .extracting(error -> error.getString("field"))
                .containsAnyElementsOf(sent);
    }

    /** What a change would leave behind. */
    private String traces() {
        return as("admin").get("audit").body() + as("admin").get("pauses").body();
    }
}
