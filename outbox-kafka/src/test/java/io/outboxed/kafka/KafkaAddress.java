package io.outboxed.kafka;

import io.outboxed.servers.broker.RealKafka;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Starts the shared broker and puts its address into the configuration; comes before {@code @OutboxTest}. */
final class KafkaAddress implements BeforeAllCallback, AfterAllCallback {
    private static final String KEY = "outbox.kafka.bootstrap.servers";

    @Override
    public void beforeAll(ExtensionContext context) {
        System.setProperty(KEY, RealKafka.shared().address());
    }

    @Override
    public void afterAll(ExtensionContext context) {
        System.clearProperty(KEY);
    }
}
