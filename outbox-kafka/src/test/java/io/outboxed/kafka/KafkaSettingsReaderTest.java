package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfigReader;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.api.Test;

class KafkaSettingsReaderTest {
    private static final Map<String, String> ENOUGH = Map.of(
            "outbox.kafka.bootstrap.servers", "one:9092, two:9092",
            "outbox.kafka.route.\"order.*\"", "orders");

    @Test
    void brokers_and_a_route_are_enough() {
        KafkaSettings settings = read(Map.of());
        assertThat(settings.format()).isEqualTo(WireFormat.CLOUDEVENTS);
        assertThat(settings.source()).isEqualTo("/outbox");
        assertThat(settings.skipUnrouted()).isFalse();
        assertThat(settings.routes().byPattern()).containsExactly(Map.entry("order.*", "orders"));
        assertThat(settings.producer())
                .containsEntry("acks", "all")
                .containsEntry("enable.idempotence", "true")
                .containsEntry("bootstrap.servers", "one:9092, two:9092");
        assertThat(settings.longestSend())
                .isLessThan(OutboxConfig.DEFAULTS.relay().lease());
    }

    @Test
    void settings_of_the_producer_are_passed_on() {
        Map<String, String> more = Map.of(
                "outbox.kafka.compression.type", "lz4",
                "outbox.kafka.sasl.jaas.config", "secret",
                "outbox.kafka.my.interceptor.setting", "1",
                "outbox.kafka.format", "Debezium",
                "outbox.kafka.unrouted", "skip");
        KafkaSettings settings = read(more);
        assertThat(settings.producer())
                .containsEntry("compression.type", "lz4")
                .containsEntry("my.interceptor.setting", "1");
        assertThat(settings.format()).isEqualTo(WireFormat.DEBEZIUM);
        assertThat(settings.skipUnrouted()).isTrue();
        assertThat(settings).asString().doesNotContain("secret");
        assertThat(KafkaSettingsReader.unknown(config(more))).containsExactly("outbox.kafka.my.interceptor.setting");
    }

    @Test
    void a_setting_that_refers_to_an_unset_key_is_a_problem() {
        Map<String, String> more = Map.of(
                "outbox.kafka.route.\"mail.*\"", "${MAILS_TOPIC}",
                "outbox.kafka.security.protocol", "${PROTOCOL}");

        assertThatThrownBy(() -> read(more))
                .hasMessageContaining("OUTBOX-0800 2 settings are wrong for Kafka")
                .hasMessageContaining("outbox.kafka.route.\"mail.*\": can't be read")
                .hasMessageContaining("outbox.kafka.security.protocol: can't be read");
    }

    @Test
    void a_password_beside_such_a_reference_is_not_shown() {
        Map<String, String> more = Map.of(
                "outbox.kafka.sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"${KAFKA_USER}\""
                        + " password=\"s3cret\";");

        assertThatThrownBy(() -> read(more))
                .hasMessageContaining("outbox.kafka.sasl.jaas.config: can't be read")
                .hasMessageContaining("${KAFKA_USER}")
                .hasMessageNotContaining("s3cret")
                .hasNoCause();
    }

    @Test
    void all_problems_are_reported_at_once() {
        assertThatThrownBy(() -> KafkaSettingsReader.read(
                        config(Map.of(
                                "outbox.kafka.bootstrap.servers", "localhost",
                                "outbox.kafka.route.\"*.placed\"", "orders",
                                "outbox.kafka.route.\"order.*\"", "two words",
                                "outbox.kafka.format", "avro",
                                "outbox.kafka.source", "not a uri",
                                "outbox.kafka.acks", "1",
                                "outbox.kafka.enable.idempotence", "false",
                                "outbox.kafka.transactional.id", "x",
                                "outbox.kafka.compression.type", "zip",
                                "outbox.kafka.batch.size", "many")),
                        OutboxConfig.DEFAULTS))
                .hasMessageContaining("OUTBOX-0800 10 settings are wrong for Kafka; nothing was deployed:")
                .hasMessageContaining("outbox.kafka.bootstrap.servers: expected host:port")
                .hasMessageContaining("outbox.kafka.route.\"*.placed\": expected an event type, or the beginning")
                .hasMessageContaining("outbox.kafka.route.\"order.*\": expected a topic")
                .hasMessageContaining("outbox.kafka.format: expected cloudevents|debezium|debezium-hex|raw, got avro")
                .hasMessageContaining("outbox.kafka.source: expected a URI reference")
                .hasMessageContaining("outbox.kafka.acks: expected -1|all")
                .hasMessageContaining("outbox.kafka.enable.idempotence: expected true")
                .hasMessageContaining("outbox.kafka.transactional.id: can't be set")
                .hasMessageContaining("outbox.kafka.compression.type: Invalid value zip")
                .hasMessageContaining("outbox.kafka.batch.size: Invalid value many");
    }

    @Test
    void a_partitioner_that_may_ignore_the_key_is_refused() {
        assertThatThrownBy(() -> read(Map.of(
                        "outbox.kafka.partitioner.class", "org.apache.kafka.clients.producer.RoundRobinPartitioner")))
                .hasMessageContaining("OUTBOX-0800 1 setting is wrong")
                .hasMessageContaining("outbox.kafka.partitioner.class: can't be set")
                .hasMessageContaining("events of an aggregate could be in several partitions");
    }

    @Test
    void settings_that_kafka_refuses_only_together_are_found_at_the_deployment() {
        assertThatThrownBy(() -> read(Map.of("outbox.kafka.retries", "0", "outbox.kafka.format", "avro")))
                .hasMessageContaining("OUTBOX-0800 2 settings are wrong")
                .hasMessageContaining("outbox.kafka.format: expected")
                .hasMessageContaining("outbox.kafka.*: Must set retries to non-zero");
    }

    @Test
    void no_problem_shows_a_password() {
        for (String wrong : List.of("retries=0", "batch.size=many", "security.protocol=SASL")) {
            String[] setting = wrong.split("=");
            assertThatThrownBy(() -> read(Map.of(
                            "outbox.kafka." + setting[0],
                            setting[1],
                            "outbox.kafka.sasl.jaas.config",
                            "PlainLoginModule required password=\"hush\";",
                            "outbox.kafka.ssl.key.password",
                            "hush",
                            "outbox.kafka.ssl.truststore.password",
                            "hush",
                            "outbox.kafka.my.interceptor.password",
                            "hush")))
                    .hasMessageContaining(setting[0])
                    .hasMessageNotContaining("hush");
        }
    }

    @Test
    void without_brokers_and_routes_nothing_is_deployed() {
        assertThatThrownBy(() -> KafkaSettingsReader.read(config(Map.of()), OutboxConfig.DEFAULTS))
                .hasMessageContaining("OUTBOX-0800 2 settings are wrong for Kafka")
                .hasMessageContaining("outbox.kafka.bootstrap.servers: expected host:port")
                .hasMessageContaining("but it is not set")
                .hasMessageContaining("outbox.kafka.route.*: no route is set");
    }

    @Test
    void a_send_ends_before_its_lease_and_its_call() {
        assertThatThrownBy(() -> read(Map.of("outbox.kafka.delivery.timeout.ms", "120000")))
                .hasMessageContaining("expected together less than outbox.lease (10000 ms), got 122000 ms")
                .hasMessageContaining("together less than outbox.handler.timeout (30000 ms), got 125000 ms");
        assertThatThrownBy(() -> read(Map.of("outbox.kafka.request.timeout.ms", "8000")))
                .hasMessageContaining(
                        "expected at least request.timeout.ms and linger.ms together (8000 ms), got 7000");
    }

    @Test
    void a_call_also_waits_for_the_check_of_its_topic_and_for_others_that_begin_with_it() {
        assertThatThrownBy(() -> read(Map.of("outbox.handler.timeout", "PT12S")))
                .hasMessageContaining("expected that delivery.timeout.ms, twice max.block.ms and 1000 ms are together"
                        + " less than outbox.handler.timeout (12000 ms), got 12000 ms");
        assertThat(read(Map.of("outbox.handler.timeout", "PT12.001S")).longestCall())
                .isEqualTo(Duration.ofSeconds(12));
    }

    @Test
    void limits_are_checked_whenever_their_own_numbers_are_valid() {
        assertThatThrownBy(
                        () -> read(Map.of("outbox.kafka.delivery.timeout.ms", "120000", "outbox.kafka.format", "avro")))
                .hasMessageContaining("OUTBOX-0800 3 settings are wrong")
                .hasMessageContaining("outbox.kafka.format: expected")
                .hasMessageContaining("expected together less than outbox.lease (10000 ms), got 122000 ms")
                .hasMessageContaining("together less than outbox.handler.timeout (30000 ms), got 125000 ms");
        assertThatThrownBy(() ->
                        read(Map.of("outbox.kafka.delivery.timeout.ms", "120000", "outbox.kafka.max.block.ms", "soon")))
                .hasMessageContaining("OUTBOX-0800 1 setting is wrong")
                .hasMessageContaining("outbox.kafka.max.block.ms: Invalid value soon");
    }

    @Test
    void a_time_that_can_not_be_added_to_others_is_a_problem() {
        assertThatThrownBy(() -> read(Map.of(
                        "outbox.kafka.max.block.ms", String.valueOf(Long.MAX_VALUE),
                        "outbox.kafka.linger.ms", String.valueOf(Long.MAX_VALUE - 1))))
                .hasMessageContaining("OUTBOX-0800 2 settings are wrong")
                .hasMessageContaining("outbox.kafka.max.block.ms: expected at most 2147483647, got 9223372036854775807")
                .hasMessageContaining("outbox.kafka.linger.ms: expected at most 2147483647, got 9223372036854775806");
        assertThatThrownBy(() -> read(Map.of("outbox.kafka.max.block.ms", "2147483647")))
                .hasMessageContaining("outbox.lease (10000 ms), got 2147490647 ms");
    }

    @Test
    void strict_mode_needs_a_name_that_all_nodes_share() {
        KafkaSettings settings = read(Map.of("outbox.kafka.strict", "true", "outbox.kafka.client.id", "shop"));
        assertThat(settings.strict()).isTrue();
        assertThat(settings.transactional("7"))
                .containsEntry("transactional.id", "shop-7")
                .containsEntry("client.id", "shop-7")
                .containsEntry("transaction.timeout.ms", "15000")
                .containsEntry("enable.idempotence", "true");
        assertThat(read(Map.of()).strict()).isFalse();
        assertThat(read(Map.of()).producer()).doesNotContainKey("transaction.timeout.ms");
    }

    @Test
    void all_problems_of_strict_mode_are_reported_at_once() {
        assertThatThrownBy(() -> read(Map.of(
                        "outbox.kafka.strict", "true",
                        "outbox.kafka.enable.idempotence", "false",
                        "outbox.kafka.transactional.id", "mine",
                        "outbox.kafka.transaction.two.phase.commit.enable", "true")))
                .hasMessageContaining("OUTBOX-0800 4 settings are wrong for Kafka")
                .hasMessageContaining("outbox.kafka.client.id: expected a name with outbox.kafka.strict=true")
                .hasMessageContaining("the same on all nodes of this application")
                .hasMessageContaining("outbox.kafka.enable.idempotence: expected true")
                .hasMessageContaining("outbox.kafka.transactional.id: can't be set")
                .hasMessageContaining("outbox.kafka.transaction.two.phase.commit.enable: expected false");
        assertThatThrownBy(() -> read(Map.of(
                        "outbox.kafka.strict", "true",
                        "outbox.kafka.client.id", "shop",
                        "outbox.relay.claim", "advisory-lock",
                        "outbox.kafka.transaction.timeout.ms", "long",
                        "outbox.kafka.delivery.timeout.ms", "24000")))
                .hasMessageContaining("OUTBOX-0800 4 settings are wrong for Kafka")
                .hasMessageContaining("outbox.kafka.strict: expected false with outbox.relay.claim=advisory-lock")
                .hasMessageContaining("outbox.kafka.transaction.timeout.ms: Invalid value long")
                .hasMessageContaining("outbox.lease (10000 ms), got 26000 ms")
                .hasMessageContaining("outbox.handler.timeout (30000 ms), got 61000 ms");
        assertThatThrownBy(() -> read(Map.of("outbox.kafka.strict", "maybe")))
                .hasMessageContaining("outbox.kafka.strict: expected true|false, got maybe");
    }

    @Test
    void a_transaction_ends_before_kafka_aborts_it_and_after_another_one_before_its_call_is_interrupted() {
        assertThatThrownBy(() -> read(Map.of(
                        "outbox.kafka.strict", "true",
                        "outbox.kafka.client.id", "shop",
                        "outbox.kafka.max.block.ms", "1000",
                        "outbox.kafka.transaction.timeout.ms", "8999",
                        "outbox.handler.timeout", "PT21S")))
                .hasMessageContaining("OUTBOX-0800 2 settings are wrong for Kafka")
                .hasMessageContaining("outbox.kafka.transaction.timeout.ms: expected at least delivery.timeout.ms and"
                        + " twice max.block.ms together (9000 ms)")
                .hasMessageContaining("got 8999")
                .hasMessageContaining("that twice delivery.timeout.ms, six times max.block.ms and 1000 ms are together"
                        + " less than outbox.handler.timeout (21000 ms), got 21000 ms");
    }

    @Test
    void the_engine_leaves_these_keys_to_this_jar() {
        assertThat(OutboxConfigReader.warnings(config(ENOUGH))).isEmpty();
    }

    private static KafkaSettings read(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(ENOUGH);
        all.putAll(more);
        return KafkaSettingsReader.read(config(all), OutboxConfigReader.read(config(all)));
    }

    private static Config config(Map<String, String> values) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withSources(new PropertiesConfigSource(values, "test", 100))
                .build();
    }
}
