package io.outboxed.internal.capture.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.json.bind.JsonbException;
import jakarta.json.bind.annotation.JsonbCreator;
import jakarta.json.bind.annotation.JsonbDateFormat;
import jakarta.json.bind.annotation.JsonbProperty;
import jakarta.json.bind.annotation.JsonbTransient;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class JsonbPayloadCodecTest {
    private final JsonbPayloadCodec codec = new JsonbPayloadCodec();

    public enum Size {
        SMALL,
        LARGE
    }

    public record Line(String item, int quantity, BigDecimal price, Size size) {}

    public record Money(BigDecimal amount, String currency) {}

    public record Everything(
            UUID id,
            List<Line> lines,
            Map<String, Money> byCurrency,
            Optional<String> note,
            Optional<Money> tip,
            OptionalInt floor,
            Instant at,
            LocalDate day,
            OffsetDateTime offset,
            ZonedDateTime zoned,
            Duration within,
            long big,
            BigInteger bigger,
            double ratio,
            boolean gift,
            byte[] raw,
            List<List<Integer>> nested) {}

    @Test
    void a_record_comes_back_without_any_annotation() {
        Money money = new Money(new BigDecimal("12.50"), "EUR");

        String text = codec.encode(money);

        assertThat(text).isEqualTo("{\"amount\":12.50,\"currency\":\"EUR\"}");
        assertThat(codec.decode(text, Money.class)).isEqualTo(money);
    }

    @Test
    void records_in_records_times_enums_optionals_and_collections_come_back() {
        Everything event = new Everything(
                UUID.randomUUID(),
                List.of(new Line("tea", 2, new BigDecimal("3.10"), Size.LARGE)),
                Map.of("EUR", new Money(BigDecimal.TEN, "EUR")),
                Optional.of("ring twice"),
                Optional.empty(),
                OptionalInt.of(3),
                Instant.parse("2026-11-20T05:00:00.123456789Z"),
                LocalDate.of(2026, 2, 28),
                OffsetDateTime.parse("2026-11-20T05:00:00+09:30"),
                ZonedDateTime.parse("2026-11-20T05:00:00+01:00[Europe/Berlin]"),
                Duration.ofMillis(90_061_001),
                Long.MIN_VALUE,
                new BigInteger("123456789012345678901234567890"),
                0.1,
                true,
                new byte[] {0, -1, 127},
                List.of(List.of(1, 2), List.of()));

        Everything back = codec.decode(codec.encode(event), Everything.class);

        assertThat(back).usingRecursiveComparison().isEqualTo(event);
    }

    @Test
    void numbers_beyond_double_precision_keep_every_digit() {
        Line line =
                new Line("gold", Integer.MAX_VALUE, new BigDecimal("12345678901234567890.12345678901234567890"), null);

        String text = codec.encode(line);

        assertThat(text).contains("12345678901234567890.12345678901234567890");
        assertThat(codec.decode(text, Line.class)).isEqualTo(line);
    }

    public record Counter(long value) {}

    @Test
    void a_long_beyond_two_to_the_53_is_a_number_and_exact() {
        String text = codec.encode(new Counter(9_007_199_254_740_993L));

        assertThat(text).isEqualTo("{\"value\":9007199254740993}");
        assertThat(codec.decode(text, Counter.class)).isEqualTo(new Counter(9_007_199_254_740_993L));
    }

    @Test
    void text_of_every_plane_comes_back_and_control_characters_are_escaped() {
        StringBuilder everything = new StringBuilder("\u0000\u0001\n\"\\\u2028");
        for (int plane = 0; plane <= 16; plane++) {
            everything.appendCodePoint(plane * 0x10000 + 0x41).appendCodePoint(plane * 0x10000 + 0xFFFD);
        }
        Money odd = new Money(BigDecimal.ONE, everything.toString());

        String text = codec.encode(odd);

        assertThat(text).contains("\\u0000").doesNotContain("\u0000");
        assertThat(codec.decode(text, Money.class)).isEqualTo(odd);
    }

    public static class Plain {
        private String name;
        private int count;

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }

        public int getCount() {
            return count;
        }

        public void setCount(int count) {
            this.count = count;
        }
    }

    @Test
    void a_class_comes_back() {
        Plain plain = new Plain();
        plain.setName("ada");
        plain.setCount(3);

        Plain back = codec.decode(codec.encode(plain), Plain.class);

        assertThat(back.getName()).isEqualTo("ada");
        assertThat(back.getCount()).isEqualTo(3);
    }

    public record Annotated(
            @JsonbProperty("order-id") String id,
            @JsonbDateFormat("dd.MM.yyyy") LocalDate day,
            @JsonbTransient String secret) {}

    @Test
    void the_annotations_of_json_b_hold_for_records() {
        Annotated event = new Annotated("o-1", LocalDate.of(2026, 11, 20), "hush");

        String text = codec.encode(event);

        assertThat(text)
                .contains("\"order-id\":\"o-1\"")
                .contains("\"day\":\"20.11.2026\"")
                .doesNotContain("hush");
        assertThat(codec.decode(text, Annotated.class)).isEqualTo(new Annotated("o-1", event.day(), null));
    }

    public record Doubled(String a, String b) {
        public Doubled(String both) {
            this(both, both);
        }
    }

    public record DoubledWithCreator(String a, String b) {
        @JsonbCreator
        public DoubledWithCreator {}

        public DoubledWithCreator(String both) {
            this(both, both);
        }
    }

    @Test
    void a_record_with_a_second_constructor_needs_a_creator_and_says_so() {
        assertThatThrownBy(() -> codec.decode(codec.encode(new Doubled("x")), Doubled.class))
                .isInstanceOf(JsonbException.class)
                .hasMessageContaining("constructor");
        assertThat(codec.decode(codec.encode(new DoubledWithCreator("x")), DoubledWithCreator.class))
                .isEqualTo(new DoubledWithCreator("x"));
    }

    record Hidden(String name) {}

    @Test
    void a_record_that_is_not_public_is_refused_when_it_is_written_and_not_only_when_it_is_read() {
        assertThatThrownBy(() -> codec.encode(new Hidden("x")))
                .isInstanceOf(JsonbException.class)
                .hasMessageContaining("Hidden")
                .hasStackTraceContaining("not public");
    }

    @Test
    void a_property_that_the_class_does_not_know_yet_is_skipped_and_a_missing_one_is_null() {
        assertThat(codec.decode("{\"currency\":\"EUR\",\"later\":{\"x\":[1]}}", Money.class))
                .isEqualTo(new Money(null, "EUR"));
    }
}
