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
    private volatile List<FailureHandler> cached;

    @Inject
    FailureHandlers(Instance<FailureHandler> beans) {
        this.beans = beans;
    }

    boolean exist() {
        return !beans.isUnsatisfied();
    }

    void tell(FailedAttempt attempt) {
        for (FailureHandler each : all()) {
            try {
                each.failed(attempt);
            } catch (RuntimeException | Error e) {
                OutboxLog.failureHandlerFailed(attempt, each.getClass().getName(), e);
            }
        }
    }

    /** Cached, because each look-up creates the dependent ones anew. */
    private List<FailureHandler> all() {
        if (cached == null) {
            cached = beans.stream().toList();
        }
        return cached;
    }
}
