package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.catchThrowable;

import io.outboxed.internal.capture.check.OutboxedMethodsExtension;
import io.outboxed.internal.capture.json.PayloadCodecExtension;
import org.jboss.weld.environment.se.Weld;

/** A deployment of some beans, which the extensions of publishing examine. */
final class WeldDeployment {
    private WeldDeployment() {}

    /** The message that the deployment failed with, null if it did not. */
    static String refusal(Class<?>... beans) {
        Throwable failure = catchThrowable(() -> weld(beans).initialize().close());
        return failure == null ? null : failure.getMessage();
    }

    static Weld weld(Class<?>... beans) {
        return new Weld()
                .disableDiscovery()
                .extensions(new OutboxedMethodsExtension(), new PayloadCodecExtension())
                .addBeanClasses(beans);
    }
}
