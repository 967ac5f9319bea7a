package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.AggregateId;
import io.outboxed.EventType;
import io.outboxed.OutboxException;
import io.outboxed.PublishOptions;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.hibernate.OutboxRow;
import io.outboxed.internal.store.LaneHash;
import io.outboxed.spi.PayloadCodec;
import jakarta.json.Json;
import jakarta.json.JsonString;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

class OutboxTest {

    @EventType("order.placed")
    public record Placed(@AggregateId String orderId, BigDecimal price) {}

    @EventType("tick")
    public record Tick(int n) {}

    public record Nameless(String a) {}

    private final CaptureFixture door = new CaptureFixture();

    @Test
    void an_event_becomes_a_row_of_its_aggregates_lane() {
        door.registry.raise(7);

        OutboxRow row = door.stored(new Placed("o-1", new BigDecimal("1.10")));

        assertThat(row.type()).isEqualTo("order.placed");
        assertThat(row.aggregateType()).isEqualTo("order");
        assertThat(row.aggregateId()).isEqualTo("o-1");
        assertThat(row.lane()).isEqualTo(LaneHash.lane("order", "o-1"));
        assertThat(row.shard()).isEqualTo(LaneHash.shard(row.lane()));
        assertThat(row.payload()).isEqualTo("{\"orderId\":\"o-1\",\"price\":1.10}");
        assertThat(row.payloadBinary()).isNull();
        assertThat(row.payloadSize()).isEqualTo(row.payload().length());
        assertThat(row.headers()).isNull();
        assertThat(row.delayMicros()).isZero();
        assertThat(row.registryVersion()).isEqualTo(7);
        assertThat(row.id().version()).isEqualTo(7);
    }

    @Test
    void publishing_before_the_handlers_are_registered_registers_them() {
        List<String> asked = new ArrayList<>();
        door.preparations.add(() -> {
            asked.add("register");
            door.registry.raise(5);
            return Optional.empty();
        });

        assertThat(door.stored(new Tick(1)).registryVersion()).isEqualTo(5);
        assertThat(door.stored(new Tick(2)).registryVersion()).isEqualTo(5);
        assertThat(asked).hasSize(1);
    }

    @Test
    void an_event_that_an_older_deployment_could_finish_without_the_new_handlers_is_refused() {
        RuntimeException cause = new IllegalStateException("the database is away");
        door.preparations.add(() -> Optional.of(cause));
        refused(new Tick(1), PublishOptions.none(), "OUTBOX-0116").hasCause(cause);

        door.preparations.set(0, () -> {
            throw cause;
        });
        refused(new Tick(1), PublishOptions.none(), "OUTBOX-0116").hasCause(cause);
    }

    @Test
    void without_a_relay_in_the_application_nothing_is_registered() {
        assertThat(door.stored(new Tick(1)).registryVersion()).isZero();
    }

    @Test
    void without_an_aggregate_each_event_has_a_lane_of_its_own() {
        OutboxRow one = door.stored(new Tick(1));
        OutboxRow two = door.stored(new Tick(1));

        assertThat(one.aggregateType()).isEmpty();
        assertThat(one.lane()).isEqualTo(LaneHash.lane(one.id()));
        assertThat(two.lane()).isNotEqualTo(one.lane());
    }

    @Test
    void options_override_the_class() {
        OutboxRow row = door.stored(
                new Placed("o-1", null),
                PublishOptions.none()
                        .type("order/placed:v2")
                        .aggregate("basket", 7)
                        .header("trace", "00-ab"));

        assertThat(row.type()).isEqualTo("order/placed:v2");
        assertThat(row.aggregateType()).isEqualTo("basket");
        assertThat(row.aggregateId()).isEqualTo("7");
        assertThat(row.headers()).isEqualTo("{\"trace\":\"00-ab\"}");
    }

    @Test
    void a_delayed_event_stands_alone_and_is_rounded_up_to_microseconds() {
        OutboxRow row = door.stored(
                new Placed("o-1", null),
                PublishOptions.none().delay(Duration.ofSeconds(2).plusNanos(1)));

        assertThat(row.delayMicros()).isEqualTo(2_000_001);
        assertThat(row.lane()).isEqualTo(LaneHash.lane(row.id()));
        assertThat(row.aggregateId()).isEqualTo("o-1");
    }

    @Test
    void text_and_bytes_are_stored_as_they_are() {
        OutboxRow text =
                door.stored("\"Grüße \uD83C\uDF75\"", PublishOptions.none().type("note"));
        OutboxRow bytes = door.stored(new byte[] {0, -1}, PublishOptions.none().type("blob"));

        assertThat(text.payload()).isEqualTo("\"Grüße \uD83C\uDF75\"");
        assertThat(text.payloadSize()).isEqualTo(text.payload().getBytes(StandardCharsets.UTF_8).length);
        assertThat(bytes.payload()).isNull();
        assertThat(bytes.payloadBinary()).containsExactly(0, -1);
    }

    @Test
    void a_binary_payload_is_the_same_text_as_bytes() {
        OutboxRow row = new CaptureFixture(new OutboxConfig.Payload(true, 1000, true)).stored(new Tick(5));

        assertThat(row.payload()).isNull();
        assertThat(new String(row.payloadBinary(), StandardCharsets.UTF_8)).isEqualTo("{\"n\":5}");
    }

    @Test
    void the_largest_payload_fits_and_one_byte_more_is_refused_without_showing_it() {
        int limit = OutboxConfig.DEFAULTS.payload().maxBytes();
        PublishOptions note = PublishOptions.none().type("note");

        assertThat(door.stored("1".repeat(limit), note).payloadSize()).isEqualTo(limit);
        refused("secret".repeat(limit / 6 + 1), note, "OUTBOX-0112")
                .hasMessageContaining("note has 1048578 bytes, outbox.payload.max-bytes is 1048576")
                .hasMessageNotContaining("secret");
        refused("\u00fc".repeat(limit / 2) + "x", note, "OUTBOX-0112");
        refused(new byte[limit + 1], note, "OUTBOX-0112");
    }

    @Test
    void of_several_events_of_a_type_with_one_key_the_first_is_stored_and_each_call_returns_its_id() {
        PublishOptions paid = PublishOptions.none().key("invoice 7");
        door.transaction.begin();
        UUID first = door.outbox.publish(new Tick(1), paid);
        UUID again = door.outbox.publish(new Tick(2), paid);
        UUID otherKey = door.outbox.publish(new Tick(3), paid.key("invoice 8"));
        UUID otherType = door.outbox.publish(new Tick(4), paid.type("tock"));
        UUID noKey = door.outbox.publish(new Tick(5), paid.key(null));
        door.transaction.commit();

        assertThat(again).isEqualTo(first);
        assertThat(door.written).extracting(OutboxRow::id).containsExactly(first, otherKey, otherType, noKey);
    }

    @Test
    void the_callers_id_is_used_whatever_its_version() {
        for (UUID id : List.of(
                UUID.randomUUID(),
                UUID.nameUUIDFromBytes(new byte[] {1}),
                UUID.fromString("6ba7b810-9dad-11d1-80b4-00c04fd430c8"),
                new UUID(0, 0))) {
            door.transaction.begin();
            assertThat(door.outbox.publish(new Tick(1), PublishOptions.none().id(id)))
                    .isEqualTo(id);
            door.transaction.commit();
            assertThat(door.written.get(door.written.size() - 1).id()).isEqualTo(id);
        }
    }

    @Test
    void an_id_that_was_published_before_is_refused_and_the_transaction_continues() {
        PublishOptions given = PublishOptions.none().id(UUID.randomUUID());
        door.transaction.begin();
        door.outbox.publish(new Tick(1), given);
        assertThatThrownBy(() -> door.outbox.publish(new Tick(2), given))
                .as("in the same transaction")
                .hasMessageStartingWith("OUTBOX-0145 an event with the id " + given.id());
        door.transaction.commit();
        door.written.clear();

        refused(new Placed("o-1", null), given, "OUTBOX-0145")
                .as("delivered since, and of another type")
                .hasMessageContaining("order.placed");
        door.transaction.begin();
        assertThatThrownBy(() -> door.outbox.publish(new Tick(1), given)).hasMessageStartingWith("OUTBOX-0145");
        door.outbox.publish(new Tick(3));
        door.transaction.commit();
        assertThat(door.written).extracting(OutboxRow::payload).containsExactly("{\"n\":3}");
    }

    @Test
    void the_id_of_an_event_that_is_still_stored_is_refused_even_if_it_is_no_longer_remembered() {
        OutboxRow made = door.stored(new Tick(1));

        refused(new Tick(1), PublishOptions.none().id(made.id()), "OUTBOX-0145");
    }

    @Test
    void an_id_and_a_key_together_are_refused() {
        refused(new Tick(1), PublishOptions.none().id(UUID.randomUUID()).key("k"), "OUTBOX-0146")
                .hasMessageContaining("tick");
    }

    @Test
    void null_and_events_without_a_type_are_refused() {
        refused(null, PublishOptions.none(), "OUTBOX-0103");
        refused(new Nameless("x"), PublishOptions.none(), "OUTBOX-0104")
                .hasMessageContaining("Nameless")
                .hasMessageContaining("@EventType");
        refused("text", PublishOptions.none(), "OUTBOX-0104").hasMessageContaining("java.lang.String");
        refused(new byte[1], PublishOptions.none(), "OUTBOX-0104").hasMessageContaining("byte[]");
    }

    @Test
    void names_that_do_not_fit_are_refused() {
        String tooLong = "x".repeat(129);
        refused("t", PublishOptions.none().type("order placed"), "OUTBOX-0105");
        refused("t", PublishOptions.none().type(""), "OUTBOX-0105");
        refused("t", PublishOptions.none().type(tooLong), "OUTBOX-0105");
        refused(new Placed(tooLong, null), PublishOptions.none(), "OUTBOX-0105").hasMessageContaining("129");
        refused(new Tick(1), PublishOptions.none().aggregate(tooLong, "1"), "OUTBOX-0105");
        assertThat(door.stored(new Placed("x".repeat(128), null)).aggregateId()).hasSize(128);
    }

    @Test
    void an_aggregate_id_that_is_null_or_empty_would_lose_the_order_and_is_refused() {
        refused(new Placed(null, null), PublishOptions.none(), "OUTBOX-0106").hasMessageContaining("orderId()");
        refused(new Placed("", null), PublishOptions.none(), "OUTBOX-0106");
        refused(new Tick(1), PublishOptions.none().aggregate("order", ""), "OUTBOX-0106");
    }

    @Test
    void delays_outside_a_year_are_refused() {
        refused(new Tick(1), PublishOptions.none().delay(Duration.ofNanos(-1)), "OUTBOX-0108");
        refused(new Tick(1), PublishOptions.none().delay(Duration.ofDays(365).plusNanos(1)), "OUTBOX-0108");
        refused(new Tick(1), PublishOptions.none().delay(Duration.ofSeconds(Long.MAX_VALUE)), "OUTBOX-0108");
        assertThat(door.stored(new Tick(1), PublishOptions.none().delay(Duration.ofDays(365)))
                        .delayMicros())
                .isEqualTo(365L * 86_400_000_000L);
    }

    @Test
    void an_instant_becomes_a_delay_by_the_clock_of_the_database_when_the_row_is_written() {
        door.databaseNow = micros(Instant.now().minus(Duration.ofDays(3)));
        Instant inAnHour = Instant.now().plusSeconds(3600);

        OutboxRow row =
                door.stored(new Placed("o-1", null), PublishOptions.none().notBefore(inAnHour.plusNanos(1)));

        assertThat(row.delayMicros()).isEqualTo(micros(inAnHour.plusNanos(1)) - door.databaseNow);
        assertThat(row.lane()).as("it stands alone").isEqualTo(LaneHash.lane(row.id()));
    }

    private static long micros(Instant instant) {
        return (instant.getEpochSecond() * 1_000_000_000 + instant.getNano() + 999) / 1000;
    }

    @Test
    void of_a_delay_and_an_instant_the_later_one_counts_and_an_instant_that_has_passed_is_now() {
        Instant databaseNow = Instant.ofEpochSecond(1_700_000_000);
        PublishOptions inTenSeconds = PublishOptions.none().notBefore(databaseNow.plusSeconds(10));

        assertThat(door.stored(new Tick(1), inTenSeconds.delay(Duration.ofSeconds(7)))
                        .delayMicros())
                .isEqualTo(10_000_000);
        assertThat(door.stored(new Tick(1), inTenSeconds.delay(Duration.ofSeconds(12)))
                        .delayMicros())
                .isEqualTo(12_000_000);
        for (Instant past : List.of(databaseNow.minusSeconds(1), Instant.EPOCH.minusNanos(1), Instant.MIN)) {
            assertThat(door.stored(new Tick(1), PublishOptions.none().notBefore(past))
                            .delayMicros())
                    .isZero();
        }
    }

    @Test
    void instants_more_than_a_year_ahead_are_refused() {
        refused(new Tick(1), PublishOptions.none().notBefore(Instant.MAX), "OUTBOX-0108");
        Instant tooLate = Instant.now().plus(Duration.ofDays(366));
        refused(new Tick(1), PublishOptions.none().notBefore(tooLate), "OUTBOX-0108")
                .hasMessageContaining("tick is scheduled for " + tooLate);
    }

    @Test
    void headers_of_any_text_are_stored_as_one_json_object() {
        Map<String, String> given = new HashMap<>(Map.of(
                "quotes", "\"\\/'{}[],:",
                "unicode", "Grüße \uD83C\uDF75 \u2028\u2029\uFFFD \u202E",
                "a \"name\" \u0001 \uD83C\uDF75", "",
                "long", "x".repeat(3000)));
        for (char c = 1; c < ' '; c++) {
            given.put("c" + (int) c, "a" + c + "b");
        }
        given.put("c127", "\u007F\u0085");
        PublishOptions options = PublishOptions.none();
        for (Map.Entry<String, String> header : given.entrySet()) {
            options = options.header(header.getKey(), header.getValue());
        }

        String stored = door.stored(new Tick(1), options).headers();

        assertThat(stored).doesNotContainPattern("[\\x00-\\x1F]");
        Map<String, String> read = new HashMap<>();
        Json.createReader(new StringReader(stored))
                .readObject()
                .forEach((name, value) -> read.put(name, ((JsonString) value).getString()));
        assertThat(read).isEqualTo(given);
    }

    @Test
    void headers_that_do_not_fit_are_refused() {
        refused(new Tick(1), headers(" ", "x"), "OUTBOX-0109");
        refused(new Tick(1), headers("x".repeat(129), "x"), "OUTBOX-0109");
        refused(new Tick(1), headers("x", "\u0001".repeat(700)), "OUTBOX-0109").hasMessageContaining("4000");
        refused(new Tick(1), headers("x", "a\u0000"), "OUTBOX-0111");
        assertThat(door.stored(new Tick(1), headers("x", "y".repeat(3992))).headers())
                .hasSize(4000);
    }

    @Test
    void text_that_no_database_stores_unchanged_is_refused() {
        PublishOptions note = PublishOptions.none().type("note");
        refused("a\u0000b", note, "OUTBOX-0111").hasMessageContaining("U+0000 at position 1");
        refused("a\uD83C", note, "OUTBOX-0111").hasMessageContaining("position 1");
        refused("\uDF75a", note, "OUTBOX-0111");
        refused("\uD83C\uD83C\uDF75", note, "OUTBOX-0111");
        refused(new Placed("\uD83C", null), PublishOptions.none(), "OUTBOX-0111");
        assertThat(door.stored(new Placed("o-1", null)).payload()).isNotNull();
    }

    public static final class Unserialisable {
        public Object getSelf() {
            throw new IllegalStateException("no");
        }
    }

    @EventType("node")
    public static final class Circular {
        public Circular getNext() {
            return this;
        }
    }

    @Test
    void an_event_that_cannot_be_serialised_is_refused_at_once() {
        refused(new Unserialisable(), PublishOptions.none().type("x"), "OUTBOX-0110")
                .hasMessageContaining("Unserialisable")
                .hasStackTraceContaining("IllegalStateException: no");
        refused(new Circular(), PublishOptions.none(), "OUTBOX-0110");
        refused(Map.of("x", Double.NaN), PublishOptions.none().type("x"), "OUTBOX-0110");
    }

    @Test
    void a_codec_that_encodes_to_null_is_refused() {
        CaptureFixture other = new CaptureFixture(OutboxConfig.DEFAULTS.payload(), new Always(null));
        other.transaction.begin();

        assertThatThrownBy(() -> other.outbox.publish(new Tick(1))).hasMessageStartingWith("OUTBOX-0110");
    }

    /** A codec that does not look at the event. */
    private record Always(String text) implements PayloadCodec {
        @Override
        public String encode(Object event) {
            return text;
        }

        @Override
        public <T> T decode(String stored, Class<T> type) {
            return null;
        }
    }

    @Test
    void text_that_is_not_json_is_refused_whoever_has_made_it() {
        refused("{\"card\": 4711 4712}", PublishOptions.none().type("note"), "OUTBOX-0118")
                .hasMessageContaining("the payload of note is not valid JSON at line 1, column ")
                .hasMessageNotContaining("4711")
                .hasMessageNotContaining("4712");
        CaptureFixture xml = new CaptureFixture(OutboxConfig.DEFAULTS.payload(), new Always("<n>1</n>"));
        xml.transaction.begin();
        assertThatThrownBy(() -> xml.outbox.publish(new Tick(1)))
                .hasMessageStartingWith("OUTBOX-0118 the payload of tick is not valid JSON at line 1, column 1");
        CaptureFixture json = new CaptureFixture(OutboxConfig.DEFAULTS.payload(), new Always("[1]"));
        assertThat(json.stored(new Tick(1)).payload()).isEqualTo("[1]");
    }

    @Test
    void text_need_not_be_json_if_it_is_stored_as_bytes_or_the_check_is_off() {
        PublishOptions note = PublishOptions.none().type("note");
        OutboxConfig.Payload binary = new OutboxConfig.Payload(true, 1000, true);
        OutboxConfig.Payload unchecked = new OutboxConfig.Payload(false, 1000, false);

        assertThat(new CaptureFixture(binary).stored("a,b", note).payloadBinary())
                .containsExactly('a', ',', 'b');
        assertThat(new CaptureFixture(unchecked).stored("a,b", note).payload()).isEqualTo("a,b");
        assertThat(new CaptureFixture(unchecked, new Always("<n/>"))
                        .stored(new Tick(1))
                        .payload())
                .isEqualTo("<n/>");
    }

    @Test
    void a_refused_event_leaves_the_transaction_and_its_other_events_alone() {
        door.transaction.begin();
        UUID kept = door.outbox.publish(new Tick(1));
        assertThatThrownBy(() -> door.outbox.publish(null)).isInstanceOf(OutboxException.class);

        door.transaction.commit();

        assertThat(door.written).extracting(OutboxRow::id).containsExactly(kept);
    }

    private static PublishOptions headers(String name, String value) {
        return PublishOptions.none().header(name, value);
    }

    private AbstractThrowableAssert<?, ? extends Throwable> refused(Object event, PublishOptions options, String code) {
        door.transaction.begin();
        try {
            return assertThatThrownBy(() -> door.outbox.publish(event, options))
                    .isInstanceOf(OutboxException.class)
                    .hasMessageStartingWith(code + " ");
        } finally {
            door.transaction.rollback();
        }
    }
}
