package io.outboxed.kafka;

import io.outboxed.OutboxException;
import io.outboxed.internal.config.ConfigKeyContributor;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfigReader;
import io.outboxed.internal.log.OutboxLog;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.Extension;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/** Fails the deployment if a setting of {@code outbox.kafka} is invalid, and warns of payloads that will not fit. */
public class KafkaExtension implements Extension, ConfigKeyContributor {
    /** For the key and the headers. The aggregate's id and the type are short; the application's headers usually are. */
    private static final long BESIDE_THE_PAYLOAD = 4096;

    @Override
    public String prefix() {
        return KafkaKeys.PREFIX;
    }

    void check(@Observes AfterDeploymentValidation deployment) {
        Config source = ConfigProvider.getConfig();
        KafkaSettingsReader.unknown(source).forEach(OutboxLog::unknownKafkaKey);
        OutboxConfig outbox;
        try {
            outbox = OutboxConfigReader.read(source);
        } catch (OutboxException reportedByItsOwnExtension) {
            outbox = OutboxConfig.DEFAULTS;
        }
        try {
            warnOfLargePayloads(KafkaSettingsReader.read(source, outbox), outbox);
        } catch (OutboxException e) {
            OutboxLog.deploymentRefused(e);
            deployment.addDeploymentProblem(e);
        }
    }

    /** Only a warning: events may be published by another application, with a limit of its own. */
    static void warnOfLargePayloads(KafkaSettings settings, OutboxConfig outbox) {
        long payload = outbox.payload().maxBytes();
        long request = settings.maxRequestSize();
        long most = Math.max(1, request - BESIDE_THE_PAYLOAD);
        if (payload > most) {
            OutboxLog.payloadTooLargeForKafka(payload, request, most);
        }
    }
}
