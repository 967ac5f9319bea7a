package io.outboxed.kafka;

import io.outboxed.OutboxException;
import io.outboxed.internal.config.KeysElsewhere;
import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.config.OutboxConfigReader;
import io.outboxed.internal.log.OutboxLog;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.Extension;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/** Fails the deployment if a setting of {@code outbox.kafka} is invalid. */
public class KafkaExtension implements Extension, KeysElsewhere {

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
            PayloadLimit.warn(KafkaSettingsReader.read(source, outbox), outbox);
        } catch (OutboxException e) {
            deployment.addDeploymentProblem(e);
        }
    }
}
