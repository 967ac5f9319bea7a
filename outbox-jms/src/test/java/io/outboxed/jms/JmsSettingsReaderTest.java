package io.outboxed.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.config.OutboxConfigReader;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Map;
import org.eclipse.microprofile.config.Config;
import org.junit.jupiter.api.Test;

class JmsSettingsReaderTest {

    @Test
    void a_route_is_enough() {
        JmsSettings settings = read(Map.of("outbox.jms.route.\"order.*\"", "java:/jms/queue/orders"));

        assertThat(settings.connectionFactory()).isEqualTo("java:comp/DefaultJMSConnectionFactory");
        assertThat(settings.source()).isEqualTo("/outbox");
        assertThat(settings.skipUnrouted()).isFalse();
        assertThat(settings.destinationOf("order.placed")).contains("java:/jms/queue/orders");
        assertThat(settings.destinationOf("mail.sent")).isEmpty();
    }

    @Test
    void the_longest_route_applies() {
        JmsSettings settings = read(Map.of(
                "outbox.jms.route.\"*\"", "jms/all",
                "outbox.jms.route.\"order.*\"", "jms/orders",
                "outbox.jms.route.order.placed", "jms/placed"));

        assertThat(settings.destinationOf("order.placed")).contains("jms/placed");
        assertThat(settings.destinationOf("order.cancelled")).contains("jms/orders");
        assertThat(settings.destinationOf("mail.sent")).contains("jms/all");
        assertThat(settings.destinations()).containsExactly("jms/all", "jms/orders", "jms/placed");
    }

    @Test
    void a_route_that_refers_to_an_unset_key_is_a_problem() {
        assertThatThrownBy(() -> read(Map.of(
                        "outbox.jms.route.\"order.*\"", "jms/orders",
                        "outbox.jms.route.\"mail.*\"", "${MAILS_QUEUE}")))
                .hasMessageContaining("outbox.jms.route.\"mail.*\": can't be read");
    }

    @Test
    void all_problems_are_reported_at_once() {
        assertThatThrownBy(() -> read(Map.of(
                        "outbox.jms.route.\"*.placed\"", "jms/orders",
                        "outbox.jms.route.\"order.*\"", "two words",
                        "outbox.jms.connection-factory", "my factory",
                        "outbox.jms.source", "not a uri",
                        "outbox.jms.unrouted", "drop")))
                .hasMessageContaining("OUTBOX-0820 5 settings are wrong for JMS; nothing was deployed:")
                .hasMessageContaining("outbox.jms.route.\"*.placed\": expected an event type, or the beginning of one")
                .hasMessageContaining("outbox.jms.route.\"order.*\": expected a JNDI name such as"
                        + " java:/jms/queue/orders, got two words")
                .hasMessageContaining("outbox.jms.connection-factory: expected a JNDI name")
                .hasMessageContaining("outbox.jms.source: expected a URI reference")
                .hasMessageContaining("outbox.jms.unrouted: expected dead-letter|skip, got drop");
    }

    @Test
    void without_a_route_nothing_is_deployed() {
        assertThatThrownBy(() -> read(Map.of()))
                .hasMessageContaining("OUTBOX-0820 1 setting is wrong for JMS")
                .hasMessageContaining("outbox.jms.route.*: no route is set, so nothing would be forwarded");
    }

    @Test
    void misspelt_keys_are_found_also_in_the_environment() {
        Config source = new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withSources(
                        new PropertiesConfigSource(
                                Map.of("outbox.jms.conection-factory", "x", "outbox.jms.unrouted", "skip"),
                                "test",
                                100),
                        new EnvConfigSource(Map.of("OUTBOX_JMS_CONNECTION_FACTORY", "jms/cf"), 300))
                .build();

        assertThat(JmsSettingsReader.unknown(source)).containsExactly("outbox.jms.conection-factory");
        assertThat(source.getValue("outbox.jms.connection-factory", String.class))
                .isEqualTo("jms/cf");
    }

    @Test
    void the_engine_leaves_these_keys_to_this_jar() {
        assertThat(OutboxConfigReader.warnings(config(Map.of("outbox.jms.conection-factory", "x"))))
                .isEmpty();
    }

    private static JmsSettings read(Map<String, String> settings) {
        return JmsSettingsReader.read(config(settings));
    }

    private static Config config(Map<String, String> settings) {
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .withSources(new PropertiesConfigSource(settings, "test", 100))
                .build();
    }
}
