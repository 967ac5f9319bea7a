package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.EventType;
import io.outboxed.PublishOptions;
import io.outboxed.internal.capture.CaptureFixture.Placed;
import io.outboxed.internal.capture.CaptureFixture.Tick;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.hibernate.OutboxRow;
import io.outboxed.spi.PayloadCodec;
import jakarta.json.Json;
import jakarta.json.JsonString;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeadersAndTextTest {

    private final CaptureFixture door = new CaptureFixture();

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
        door.refused("secret".repeat(limit / 6 + 1), note, "OUTBOX-0112")
                .hasMessageContaining("note has 1048578 bytes, outbox.payload.max-bytes is 1048576")
                .hasMessageNotContaining("secret");
        door.refused("\u00fc".repeat(limit / 2) + "x", note, "OUTBOX-0112");
        door.refused(new byte[limit + 1], note, "OUTBOX-0112");
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
        door.refused(new Tick(1), headers(" ", "x"), "OUTBOX-0109");
        door.refused(new Tick(1), headers("x".repeat(129), "x"), "OUTBOX-0109");
        door.refused(new Tick(1), headers("x", "\u0001".repeat(700)), "OUTBOX-0109")
                .hasMessageContaining("4000");
        door.refused(new Tick(1), headers("x", "a\u0000"), "OUTBOX-0111");
        assertThat(door.stored(new Tick(1), headers("x", "y".repeat(3992))).headers())
                .hasSize(4000);
    }

    @Test
    void text_that_no_database_stores_unchanged_is_refused() {
        PublishOptions note = PublishOptions.none().type("note");
        door.refused("a\u0000b", note, "OUTBOX-0111").hasMessageContaining("U+0000 at position 1");
        door.refused("a\uD83C", note, "OUTBOX-0111").hasMessageContaining("position 1");
        door.refused("\uDF75a", note, "OUTBOX-0111");
        door.refused("\uD83C\uD83C\uDF75", note, "OUTBOX-0111");
        door.refused(new Placed("\uD83C", null), PublishOptions.none(), "OUTBOX-0111");
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
        door.refused(new Unserialisable(), PublishOptions.none().type("x"), "OUTBOX-0110")
                .hasMessageContaining("Unserialisable")
                .hasStackTraceContaining("IllegalStateException: no");
        door.refused(new Circular(), PublishOptions.none(), "OUTBOX-0110");
        door.refused(Map.of("x", Double.NaN), PublishOptions.none().type("x"), "OUTBOX-0110");
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
        door.refused("{\"card\": 4711 4712}", PublishOptions.none().type("note"), "OUTBOX-0118")
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

    private static PublishOptions headers(String name, String value) {
        return PublishOptions.none().header(name, value);
    }
}
