package io.outboxed.rest.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingState;
import io.outboxed.internal.config.OutboxConfig.Payload;
import io.outboxed.rest.problem.Problem.Field;
import io.outboxed.rest.problem.ProblemException;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.UriInfo;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InputTest {
    private static final UUID ID = UUID.fromString("018f3c1e-7b1a-7000-8000-00000000abcd");

    @Test
    void a_filter_of_dead_letters_takes_all_its_conditions() {
        Input input = query(
                "messageId", ID.toString(),
                "handler", "order-mail",
                "type", "order.placed",
                "aggregateType", "order",
                "aggregateId", "4/7' OR 1=1",
                "error", "refused",
                "errorKind", "java.net.ConnectException",
                "since", "2026-01-31T12:00:00Z",
                "until", "2026-02-01T00:00:00.000001Z",
                "blocking", "true");

        DeadLetterFilter filter = FilterInput.deadLetters(input);
        input.check();

        assertThat(filter)
                .isEqualTo(new DeadLetterFilter(
                        ID,
                        "order-mail",
                        "order.placed",
                        "order",
                        "4/7' OR 1=1",
                        "refused",
                        "java.net.ConnectException",
                        Instant.parse("2026-01-31T12:00:00Z"),
                        Instant.parse("2026-02-01T00:00:00.000001Z"),
                        true));
    }

    @Test
    void an_address_that_is_not_a_legal_uri_is_an_invalid_request() {
        UriInfo address = (UriInfo) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {UriInfo.class}, (proxy, method, arguments) -> {
                    throw new IllegalArgumentException("Malformed escape pair at index 9: status?x=%zz");
                });

        assertThatThrownBy(() -> QueryInput.of(address))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("urn:outboxed:problem:invalid");
    }

    @Test
    void a_filter_of_what_waits_takes_all_its_conditions() {
        Input input = query(
                "state", "waiting",
                "handler", "order-mail",
                "type", "order.placed",
                "aggregateType", "order",
                "aggregateId", "4711",
                "error", "refused",
                "errorKind", "java.net.ConnectException",
                "since", "2026-01-31T12:00:00Z",
                "until", "2026-02-01T00:00:00Z");

        assertThat(FilterInput.waiting(input))
                .isEqualTo(new WaitingFilter(
                        WaitingState.WAITING,
                        "order-mail",
                        "order.placed",
                        "order",
                        "4711",
                        "refused",
                        "java.net.ConnectException",
                        Instant.parse("2026-01-31T12:00:00Z"),
                        Instant.parse("2026-02-01T00:00:00Z")));
    }

    @Test
    void no_parameter_is_no_condition() {
        assertThat(FilterInput.deadLetters(query())).isEqualTo(DeadLetterFilter.all());
        assertThat(FilterInput.waiting(query("state", "parked"))).isEqualTo(WaitingFilter.in(WaitingState.PARKED));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            messageId | 1                      | expected a UUID
            messageId | 1-1-1-1                | expected a UUID
            messageId | 1-1-1-1-1              | expected a UUID
            since     | yesterday              | expected a time like 2026-01-31T12:00:00Z
            since     | 1969-12-31T23:59:59Z   | expected a time between the years 1970 and 9999
            until     | +10000-01-01T00:00:00Z | expected a time between the years 1970 and 9999
            blocking  | yes                    | expected true or false
            handler   | ''                     | expected 1 to 255 characters
            """)
    void a_condition_that_is_wrong_is_named(String name, String value, String problem) {
        Input input = query(name, value);
        FilterInput.deadLetters(input);

        assertThat(problems(input)).containsExactly(new Field(name, problem));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-01-30T12:00:00Z", "2026-01-31T12:00:00Z"})
    void a_period_ends_after_it_begins(String until) {
        String[] period = {"since", "2026-01-31T12:00:00Z", "until", until};
        Field expected = new Field("until", "expected a time after since, which is 2026-01-31T12:00:00Z");
        Input letters = query(period);
        FilterInput.deadLetters(letters);

        assertThat(problems(letters)).containsExactly(expected);
        Input waiting = query("state", "ready", period[0], period[1], period[2], period[3]);
        assertThat(catchThrowableOfType(ProblemException.class, () -> FilterInput.waiting(waiting))
                        .problem()
                        .fields())
                .containsExactly(expected);
    }

    @Test
    void all_problems_are_reported_together() {
        Input input = query("limit", "0", "hendler", "order-mail", "since", "?");
        input.whole("limit", 50, 200);
        FilterInput.deadLetters(input);

        assertThat(problems(input)).extracting(Field::field).containsExactlyInAnyOrder("limit", "hendler", "since");
    }

    @Test
    void a_parameter_that_occurs_twice_is_refused() {
        MultivaluedMap<String, String> parameters = new MultivaluedHashMap<>();
        parameters.addAll("limit", "1", "200");

        assertThat(problems(QueryInput.of(parameters))).extracting(Field::field).contains("limit");
    }

    @ParameterizedTest
    @CsvSource({"1,1", "200,200", "'',-1", "0,-1", "201,-1", "-1,-1", "1.0,-1", "1e2,-1", "99999999999,-1", "' 1',-1"})
    void a_page_has_1_to_200_lines(String value, int expected) {
        Input input = query("limit", value);
        int limit = input.whole("limit", 50, 200);

        if (expected > 0) {
            assertThat(limit).isEqualTo(expected);
            input.check();
        } else {
            assertThat(problems(input)).extracting(Field::field).containsExactly("limit");
        }
    }

    /** An answer is not much longer than its request. */
    @Test
    void twenty_problems_are_enough() {
        MultivaluedMap<String, String> parameters = new MultivaluedHashMap<>();
        for (int i = 0; i < 500; i++) {
            parameters.add("p" + i, "x");
        }

        assertThat(problems(QueryInput.of(parameters))).hasSize(20);
    }

    /** As OutboxAdmin counts them: a reason that is accepted here must not fail there. */
    @Test
    void lengths_are_those_of_the_java_api() {
        Input input = query("handler", "\ud83d\ude00".repeat(128));
        input.text("handler", 255);

        assertThat(problems(input)).extracting(Field::field).containsExactly("handler");
    }

    @ParameterizedTest
    @ValueSource(strings = {"handler", "error", "errorKind"})
    void messages_have_no_handler_and_no_error(String name) {
        Input input = query("state", "ready", name, "order-mail");
        assertThat(catchThrowableOfType(ProblemException.class, () -> FilterInput.waiting(input))
                        .problem()
                        .fields())
                .containsExactly(new Field(
                        "state", "handler, error and errorKind select deliveries, which are waiting or blocked"));
        assertThat(FilterInput.waiting(query("state", "waiting", "handler", "order-mail"))
                        .handler())
                .isEqualTo("order-mail");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "dead", "READY", "waiting,blocked"})
    void a_state_is_one_of_four_words(String state) {
        assertThatThrownBy(() -> FilterInput.waiting(query("state", state))).isInstanceOf(ProblemException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u0000b", "a\nb", "a\ud800b"})
    void a_text_that_no_database_stores_is_refused(String text) {
        Input input = query("handler", text);
        input.text("handler", 255);

        assertThat(problems(input)).extracting(Field::field).containsExactly("handler");
    }

    /** The application chooses them, and the outbox stores every character but these. */
    @ParameterizedTest
    @ValueSource(strings = {"aggregateType", "aggregateId", "error"})
    void a_text_of_the_application_may_have_control_characters(String name) {
        Input stored = query(name, "4711\tb\nc\u0001\ud83d\ude00");
        FilterInput.deadLetters(stored);
        stored.check();
        assertThat(FilterInput.waiting(query("state", "waiting", name, "4711\n")))
                .isNotNull();
        for (String text : List.of("a\u0000b", "a\ud800b", "")) {
            Input refused = query(name, text);
            FilterInput.deadLetters(refused);
            assertThat(problems(refused)).extracting(Field::field).containsExactly(name);
        }
    }

    @Test
    void a_body_has_texts_booleans_numbers_and_objects() throws IOException {
        Input input = json(
                "{\"handler\":\"m\",\"allowReordering\":true,\"perSecond\":7,\"filter\":{\"type\":\"t\"},\"x\":null}");

        assertThat(input.requiredText("handler", 9)).isEqualTo("m");
        assertThat(input.flag("allowReordering")).isTrue();
        assertThat(input.whole("perSecond", 1, 9)).isEqualTo(7);
        assertThat(input.object("filter").text("type", 9)).isEqualTo("t");
        assertThat(input.text("x", 9)).isNull();
        input.check();
    }

    @Test
    void fields_of_an_inner_object_are_named_with_it() throws IOException {
        Input input = json("{\"filter\":{\"since\":1,\"colour\":\"red\"}}");
        FilterInput.deadLetters(input.object("filter"));

        assertThat(problems(input)).extracting(Field::field).containsExactly("filter.since", "filter.colour");
    }

    @Test
    void a_field_of_another_kind_is_refused() throws IOException {
        Input input = json("{\"handler\":{},\"allowReordering\":\"no\",\"perSecond\":1e999999999,\"filter\":\"all\"}");
        input.text("handler", 9);
        input.flag("allowReordering");
        input.whole("perSecond", 1, 9);
        input.object("filter");

        assertThat(problems(input))
                .extracting(Field::field)
                .containsExactly("handler", "allowReordering", "perSecond", "filter");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "\"a\"",
                "{",
                "{\"a\":1",
                "{\"a\":1}}",
                "{\"a\":1}{}",
                "{\"a\":1,\"a\":2}",
                "{\"a\":[1]}",
                "{\"a\":{\"b\":{\"c\":{}}}}",
                "{a:1}",
                "{\"a\":NaN}",
                "<html/>"
            })
    void a_body_that_is_not_one_flat_json_object_is_refused(String body) {
        assertThatThrownBy(() -> json(body)).isInstanceOf(ProblemException.class);
    }

    @Test
    void a_body_is_utf_8_and_not_longer_than_the_limit() {
        assertThatThrownBy(() -> JsonInput.read(new ByteArrayInputStream(new byte[] {'{', '"', (byte) 0xff, '"'})))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("UTF-8");
        assertThatThrownBy(() -> json("{\"a\":\"" + "x".repeat(JsonInput.MAX_BYTES) + "\"}"))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("too-large");
    }

    @Test
    void a_payload_of_the_greatest_size_fits_into_a_body_even_if_each_byte_is_escaped() throws IOException {
        Payload limits = new Payload(false, 40_000, true);
        String tabs = "\\u0009".repeat(limits.maxBytes());
        String body = "{\"payload\":\"" + tabs + "\",\"reason\":\"" + "x".repeat(500) + "\"}";

        Input input = JsonInput.read(stream(body), JsonInput.mostBytes(limits));
        assertThat(input.requiredContent("payload")).isEqualTo("\t".repeat(limits.maxBytes()));
        assertThat(input.requiredText("reason", 500)).hasSize(500);
        input.check();
        String longer = body + " ".repeat(JsonInput.MAX_BYTES);
        assertThatThrownBy(() -> JsonInput.read(stream(longer), JsonInput.mostBytes(limits)))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("longer than 256384 bytes");
    }

    private static Input json(String body) throws IOException {
        return JsonInput.read(stream(body));
    }

    private static InputStream stream(String body) {
        return new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8));
    }

    private static Input query(String... namesAndValues) {
        MultivaluedMap<String, String> parameters = new MultivaluedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            parameters.add(namesAndValues[i], namesAndValues[i + 1]);
        }
        return QueryInput.of(parameters);
    }

    private static List<Field> problems(Input input) {
        return catchThrowableOfType(ProblemException.class, input::check)
                .problem()
                .fields();
    }
}
