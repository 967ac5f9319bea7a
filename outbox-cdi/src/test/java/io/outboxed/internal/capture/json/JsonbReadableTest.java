package io.outboxed.internal.capture.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.json.bind.annotation.JsonbCreator;
import jakarta.json.bind.annotation.JsonbProperty;
import jakarta.json.bind.annotation.JsonbSubtype;
import jakarta.json.bind.annotation.JsonbTypeInfo;
import java.beans.ConstructorProperties;
import org.junit.jupiter.api.Test;
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

    protected static class Protected {
        public String text;
    }

    public static class ByProperties {
        public final String text;

        @ConstructorProperties("text")
        public ByProperties(String text) {
            this.text = text;
        }
    }

    public enum Light {
        RED {
            @Override
            Light next() {
                return this;
            }
        };

        abstract Light next();
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

    static class HiddenClass {
        public String text;
    }

    protected record ProtectedRecord(String text) {}

    public record Several(String text) {
        public Several() {
            this("");
        }
    }

    public static class PackagePrivateConstructor {
        public String text;

        PackagePrivateConstructor() {}
    }

    public static class Given {
        public String text;

        public Given(String text) {
            this.text = text;
        }
    }

    @Test
    void an_enum_whose_constants_have_bodies_is_not_abstract() {
        assertThat(JsonbReadable.obstacle(Light.class)).isEmpty();
        assertThat(codec.decode("\"RED\"", Light.class)).isEqualTo(Light.RED);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Plain.class,
                Bean.class,
                HiddenConstructor.class,
                Protected.class,
                ByProperties.class,
                Created.class,
                Shape.class,
                Circle.class,
            })
    void what_json_b_can_read_has_no_obstacle(Class<?> type) {
        assertThat(JsonbReadable.obstacle(type)).isEmpty();
        assertThatCode(() -> codec.decode(JSON, type)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Changed.class,
                Document.class,
                Hidden.class,
                HiddenClass.class,
                ProtectedRecord.class,
                Several.class,
                PackagePrivateConstructor.class,
                Given.class,
            })
    void what_has_an_obstacle_can_not_be_read(Class<?> type) {
        assertThat(JsonbReadable.obstacle(type)).isPresent();
        assertThatThrownBy(() -> codec.decode(JSON, type)).isInstanceOf(RuntimeException.class);
    }
}
