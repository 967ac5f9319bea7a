package io.outboxed.kafka;

import io.outboxed.servers.broker.RealKafka;
import java.util.Map;

/** What a client needs at {@link RealKafka#loginAddress()}. */
final class Logins {
    private Logins() {}

    static Map<String, String> withPassword(String password) {
        return jaas("org.apache.kafka.common.security.plain.PlainLoginModule required username=\"" + RealKafka.USER
                + "\" password=\"" + password + "\";");
    }

    static Map<String, String> jaas(String config) {
        return Map.of("security.protocol", "SASL_PLAINTEXT", "sasl.mechanism", "PLAIN", "sasl.jaas.config", config);
    }
}
