package io.outboxed.jms;

import io.outboxed.OutboxException;
import io.outboxed.internal.config.ConfigKeyContributor;
import io.outboxed.internal.log.OutboxLog;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.Extension;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/** Fails the deployment if a setting of {@code outbox.jms} is invalid. */
public class JmsExtension implements Extension, ConfigKeyContributor {

    @Override
    public String prefix() {
        return JmsKeys.PREFIX;
    }

    void check(@Observes AfterDeploymentValidation deployment) {
        Config source = ConfigProvider.getConfig();
        JmsSettingsReader.unknown(source).forEach(OutboxLog::unknownJmsKey);
        try {
            JmsSettingsReader.read(source);
        } catch (OutboxException e) {
            OutboxLog.deploymentRefused(e);
            deployment.addDeploymentProblem(e);
        }
    }
}
