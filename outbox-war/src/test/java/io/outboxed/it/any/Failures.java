package io.outboxed.it.any;

import io.outboxed.OutboxMessage;
import io.outboxed.spi.FailedAttempt;
import io.outboxed.spi.FailureClassifier;
import io.outboxed.spi.FailureHandler;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Classifies failures, and learns of them. */
@ApplicationScoped
public class Failures implements FailureClassifier, FailureHandler {
    private final List<String> reported = new CopyOnWriteArrayList<>();

    @Override
    public Verdict classify(OutboxMessage message, String handler, Throwable failure, Verdict builtIn) {
        return failure instanceof NotNow ? Verdict.DEFER : builtIn;
    }

    @Override
    public void failed(FailedAttempt attempt) {
        reported.add(attempt.handler() + " " + attempt.attempt() + " " + attempt.verdict());
    }

    public List<String> reported() {
        return List.copyOf(reported);
    }
}
