package io.outboxed.internal.handlers;

import io.outboxed.internal.handlers.invocation.ApplicationCallback;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.spi.FailedAttempt;
import io.outboxed.spi.FailureHandler;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.List;
import java.util.concurrent.Executor;

/** The application's failure handlers. Each is told, whatever the others do. */
@Dependent
class FailureHandlers {
    /** Kept, because each look-up would create the dependent ones anew. One that can't be created is tried again. */
    private final List<? extends Instance.Handle<? extends FailureHandler>> all;

    private final ApplicationCallback callback;

    @Inject
    FailureHandlers(Instance<FailureHandler> beans, ApplicationCallback callback) {
        this.callback = callback;
        this.all = beans.handlesStream().toList();
    }

    boolean exist() {
        return !all.isEmpty();
    }

    /** @param executors each bean is always told on the same one */
    void tell(FailedAttempt attempt, List<? extends Executor> executors) {
        for (int i = 0; i < all.size(); i++) {
            Instance.Handle<? extends FailureHandler> each = all.get(i);
            executors.get(i % executors.size()).execute(() -> tell(attempt, each));
        }
    }

    private void tell(FailedAttempt attempt, Instance.Handle<? extends FailureHandler> bean) {
        try {
            callback.run(() -> bean.get().failed(attempt));
        } catch (Exception | Error e) {
            OutboxLog.failureHandlerFailed(
                    attempt, bean.getBean().getBeanClass().getName(), e);
        }
    }
}
