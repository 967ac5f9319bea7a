package io.outboxed.kafka;

import static io.outboxed.kafka.Events.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.PermanentFailureException;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.servers.broker.RealKafka;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

class PayloadLimitTest {
    private static final RealKafka KAFKA = RealKafka.shared();
    private static final int MIB = 1 << 20;

    @Test
    void a_payload_limit_that_leaves_no_room_for_key_and_headers_is_named_at_the_deployment() {
        assertThat(warnings(MIB, Map.of()))
                .as("both defaults")
                .contains(
                        "payloads of up to 1048576 bytes can be published (outbox.payload.max-bytes)",
                        "at most 1048576 bytes with key and headers (outbox.kafka.max.request.size)",
                        "Set outbox.payload.max-bytes to at most 1044480");
        assertThat(warnings(MIB - 4096, Map.of())).isEmpty();
        assertThat(warnings(MIB, Map.of("max.request.size", "1052672"))).isEmpty();
        assertThat(warnings(20, Map.of("max.request.size", "100"))).contains("to at most 1 wherever");
    }

    @Test
    void a_payload_as_large_as_the_line_says_is_sent_and_one_as_large_as_a_request_is_not() {
        KAFKA.createTopic("payload-limit");
        try (BrokerConnection connection = new BrokerConnection(settings(Map.of()))) {
            assertThatCode(() -> send(connection, MIB - 4096)).doesNotThrowAnyException();
            assertThatThrownBy(() -> send(connection, MIB)).isInstanceOf(PermanentFailureException.class);
        }
    }

    private static void send(BrokerConnection connection, int payload) {
        connection
                .send(new ProducerRecord<>("payload-limit", new byte[payload]), LEASE, lease -> true)
                .call();
    }

    private static String warnings(int payload, Map<String, String> producer) {
        OutboxConfig outbox = OutboxConfig.DEFAULTS.withPayload(new OutboxConfig.Payload(false, payload, true));
        try (LoggedLines log = new LoggedLines()) {
            KafkaExtension.warnOfLargePayloads(settings(producer), outbox);
            return String.join("\n", log.with("OUTBOX-0894"));
        }
    }

    private static KafkaSettings settings(Map<String, String> producer) {
        return ForwardingNode.settings(KAFKA.address(), "payload-limit", producer);
    }
}
