package io.outboxed.shop;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.rest.access.AdminOperation;
import jakarta.json.JsonArray;
import jakarta.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What MicroProfile OpenAPI tells anyone about the admin API, which is closed here. */
interface OpenApiTests {
    /** Not what comes before it: Open Liberty puts all resources below one of the REST applications of the WAR. */
    String ROOT = "/admin/v1/";

    Shop shop();

    @Test
    default void the_openapi_document_has_exactly_the_operations_of_the_admin_api_with_their_parameters() {
        Map<String, Set<String>> expected = Arrays.stream(AdminOperation.values())
                .collect(toMap(OpenApiTests::name, OpenApiTests::parameters, (one, other) -> one, TreeMap::new));

        assertThat(described(OpenApiTests::parameters)).isEqualTo(expected);
    }

    @Test
    default void the_openapi_document_says_what_each_operation_does_takes_and_answers() {
        described(operation -> operation).forEach((name, operation) -> {
            assertThat(operation.getString("summary")).as(name).isNotBlank();
            assertThat(operation.getValue("/responses/200/content/application~1json/schema"))
                    .as(name)
                    .isNotNull();
            if (name.startsWith("POST")) {
                assertThat(operation
                                .getValue("/requestBody/content/application~1json")
                                .asJsonObject())
                        .as(name)
                        .containsKey("example");
            }
        });
    }

    /** Payara and Open Liberty describe no fields, as docs/admin-api.md says. */
    @Test
    default void the_openapi_document_names_the_fields_of_each_response_where_the_server_describes_them() {
        if (System.getProperty("it.server").equals("wildfly")) {
            JsonObject schemas = document().getJsonObject("components").getJsonObject("schemas");
            described(operation -> operation
                            .getValue("/responses/200/content/application~1json/schema")
                            .asJsonObject())
                    .forEach((name, schema) ->
                            assertThat(fields(schemas, schema)).as(name).isNotEmpty());
        }
    }

    /** Of an object, or of those in a list. */
    private static Set<String> fields(JsonObject schemas, JsonObject schema) {
        if (schema.containsKey("$ref")) {
            String reference = schema.getString("$ref");
            return fields(schemas, schemas.getJsonObject(reference.substring(reference.lastIndexOf('/') + 1)));
        }
        if (schema.containsKey("items")) {
            return fields(schemas, schema.getJsonObject("items"));
        }
        return schema.containsKey("properties")
                ? schema.getJsonObject("properties").keySet()
                : Set.of();
    }

    /** By method and path. */
    private <T> Map<String, T> described(Function<JsonObject, T> part) {
        Map<String, T> operations = new TreeMap<>();
        document().getJsonObject("paths").forEach((path, methods) -> {
            if (path.contains(ROOT)) {
                methods.asJsonObject().forEach((method, operation) -> {
                    if (Set.of("get", "post", "put", "delete", "patch").contains(method)) {
                        String name = method.toUpperCase(Locale.ROOT) + " "
                                + path.substring(path.indexOf(ROOT) + ROOT.length());
                        operations.put(name, part.apply(operation.asJsonObject()));
                    }
                });
            }
        });
        return operations;
    }

    private JsonObject document() {
        Shop.Answer answer = shop().send(shop().request("/openapi")
                .header("Accept", "application/json")
                .GET());
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }

    private static String name(AdminOperation operation) {
        return operation.method() + " " + operation.path();
    }

    /** As "in name". */
    private static Set<String> parameters(JsonObject operation) {
        JsonArray described = operation.getJsonArray("parameters");
        Set<String> names = new TreeSet<>();
        if (described != null) {
            described
                    .getValuesAs(JsonObject.class)
                    .forEach(each -> names.add(each.getString("in") + " " + each.getString("name")));
        }
        return names;
    }

    private static Set<String> parameters(AdminOperation operation) {
        Set<String> names = new TreeSet<>();
        if (operation.path().contains("{id}")) {
            names.add("path id");
        }
        query(operation).forEach(name -> names.add("query " + name));
        switch (operation) {
            case RETRY, REPLAY, DISCARD, EDIT, REPLAY_MANY, DISCARD_MANY, RETRY_MANY, DROP_DELIVERIES, RESUME ->
                names.add("header If-Match");
            default -> {}
        }
        return names;
    }

    private static Stream<String> query(AdminOperation operation) {
        List<String> filter =
                List.of("handler", "type", "aggregateType", "aggregateId", "error", "errorKind", "since", "until");
        Stream<String> deadLetters = Stream.concat(filter.stream(), Stream.of("messageId", "blocking"));
        Stream<String> page = Stream.of("after", "limit");
        return switch (operation) {
            case MESSAGES -> Stream.concat(page, Stream.concat(filter.stream(), Stream.of("state")));
            case DEAD_LETTERS -> Stream.concat(page, deadLetters);
            case FAILURES -> deadLetters;
            case AGGREGATE -> Stream.of("type", "id");
            case AUDIT -> page;
            default -> Stream.empty();
        };
    }
}
