package io.outboxed.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.outboxed.admin.BulkRequest;
import io.outboxed.rest.input.Input;
import io.outboxed.rest.input.JsonInput;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the OpenAPI document shows can be sent. */
class ExampleTest {

    static Stream<String> examples() {
        return Arrays.stream(Example.class.getDeclaredFields())
                .filter(field -> Modifier.isStatic(field.getModifiers()) && field.getType() == String.class)
                .map(ExampleTest::value);
    }

    private static String value(Field field) {
        try {
            return (String) field.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void each_is_a_body_that_is_read(String example) throws IOException {
        assertThat(read(example)).isNotNull();
    }

    @Test
    void a_change_of_many_takes_the_filter_that_the_preview_returns() {
        Map<String, BulkRequest.Kind> kinds = Map.of(
                Example.REPLAY_MANY, BulkRequest.Kind.REPLAY,
                Example.DISCARD_MANY, BulkRequest.Kind.DISCARD,
                Example.RETRY_MANY, BulkRequest.Kind.RETRY);
        kinds.forEach((example, kind) -> assertThatCode(() -> {
                    Input input = read(example);
                    BulkSelection.bounded(input, kind);
                    input.flag("allowReordering");
                    input.whole("perSecond", 1, 20);
                    input.requiredText("reason", 100);
                    input.check();
                })
                .as(example)
                .doesNotThrowAnyException());
    }

    private static Input read(String body) throws IOException {
        return JsonInput.read(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    }
}
