package io.outboxed.it.handlers;

import io.outboxed.it.handlers.Events.Created;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import org.eclipse.microprofile.faulttolerance.Retry;

/** Handlers on a bean that is created for each call. */
@Dependent
public class DependentHandlers {

    @Inject
    Notes notes;

    @Retry(maxRetries = 1, delay = 10)
    void intercepted(@Observes Created event) {
        fail(notes.take("dependent"));
    }

    private void notIntercepted(@Observes Created event) {
        fail(notes.take("dependentHidden"));
    }

    private static void fail(int call) {
        if (call < 2) {
            throw new IllegalStateException("call " + call + " fails");
        }
    }
}
