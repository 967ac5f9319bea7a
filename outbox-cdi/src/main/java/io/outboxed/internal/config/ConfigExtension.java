package io.outboxed.internal.config;

import io.outboxed.OutboxException;
import io.outboxed.internal.log.OutboxLog;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.Extension;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

/** Fails the deployment if a setting is invalid, and warns about unknown keys and risky settings. */
public class ConfigExtension implements Extension {

    void check(@Observes AfterDeploymentValidation deployment) {
        Config source = ConfigProvider.getConfig();
        OutboxConfigReader.warnings(source).forEach(OutboxLog::unknownKey);
        try {
            OutboxConfigReader.risks(OutboxConfigReader.read(source)).forEach(OutboxLog::riskySettings);
        } catch (OutboxException e) {
            OutboxLog.deploymentRefused(e);
            deployment.addDeploymentProblem(e);
        }
    }
}
