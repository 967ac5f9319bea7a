package io.outboxed.kafka;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.log.OutboxLog;

/** Whether each payload that may be published fits into a record that the producer may send. */
final class PayloadLimit {
    /** For the key and the headers. The aggregate's id and the type are short; the application's headers usually are. */
    private static final long BESIDE_THE_PAYLOAD = 4096;

    private PayloadLimit() {}

    /** Only a warning: events may be published by another application, with a limit of its own. */
    static void warn(KafkaSettings settings, OutboxConfig outbox) {
        long payload = outbox.payload().maxBytes();
        long request = settings.maxRequestSize();
        long most = Math.max(1, request - BESIDE_THE_PAYLOAD);
        if (payload > most) {
            OutboxLog.payloadTooLargeForKafka(payload, request, most);
        }
    }
}
