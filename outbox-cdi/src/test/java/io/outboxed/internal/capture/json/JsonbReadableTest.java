package io.outboxed.internal.capture.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.json.bind.annotation.JsonbCreator;
import jakarta.json.bind.annotation.JsonbProperty;
import jakarta.json.bind.annotation.JsonbSubtype;
import jakarta.json.bind.annotation.JsonbTypeInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonbReadableTest {
    private static final String JSON = "{\"@type\":\"circle\",\"text\":\"x\"}";

    private final JsonbPayloadCodec codec = new JsonbPayloadCodec();

    public record Plain(String text) {}

    public static class Bean {
        public String text;
    }

    public static class HiddenConstructor {
        public String text;

        protected HiddenConstructor() {}
    }

    public static class Created {
        public final String text;

        private Created(String text) {
            this.text = text;
        }

        @JsonbCreator
        public static Created of(@JsonbProperty("text") String text) {
            return new Created(text);
        }
    }

    @JsonbTypeInfo({@JsonbSubtype(alias = "circle", type = Circle.class)})
    public interface Shape {}

    public static class Circle implements Shape {
        public String text;
    }

    public interface Changed {
        String text();
    }

    public abstract static class Document {
        public String text;
    }

    record Hidden(String text) {}

    public static class Given {
        public String text;

        public Given(String text) {
            this.text = text;
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Plain.class,
                Bean.class,
                HiddenConstructor.class,
                Created.class,
                Shape.class,
                Circle.class,
            })
    void what_json_b_can_read_has_no_obstacle(Class<?> type) {
        assertThat(JsonbReadable.obstacle(type)).isEmpty();
        assertThatCode(() -> codec.decode(JSON, type)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(classes = {Changed.class, Document.class, Hidden.class, Given.class})
    void what_has_an_obstacle_can_not_be_read(Class<?> type) {
        assertThat(JsonbReadable.obstacle(type)).isPresent();
        assertThatThrownBy(() -> codec.decode(JSON, type)).isInstanceOf(RuntimeException.class);
    }
}
