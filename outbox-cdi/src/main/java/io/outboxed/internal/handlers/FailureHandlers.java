package io.outboxed.internal.handlers;

import io.outboxed.internal.log.OutboxLog;
import io.outboxed.spi.FailedAttempt;
import io.outboxed.spi.FailureHandler;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.List;

/** The application's failure handlers. Each is told, whatever the others do. */
@Dependent
class FailureHandlers {
    private final Instance<FailureHandler> beans;
    private volatile List<? extends Instance.Handle<? extends FailureHandler>> cached;

    @Inject
    FailureHandlers(Instance<FailureHandler> beans) {
        this.beans = beans;
    }

    boolean exist() {
        return !beans.isUnsatisfied();
    }

    void tell(FailedAttempt attempt) {
        for (Instance.Handle<? extends FailureHandler> each : all()) {
            try {
                each.get().failed(attempt);
            } catch (RuntimeException | Error e) {
                OutboxLog.failureHandlerFailed(
                        attempt, each.getBean().getBeanClass().getName(), e);
            }
        }
    }

    /** Cached, because each look-up would create the dependent ones anew. One that can't be created is tried again. */
    private List<? extends Instance.Handle<? extends FailureHandler>> all() {
        if (cached == null) {
            cached = beans.handlesStream().toList();
        }
        return cached;
    }
}
