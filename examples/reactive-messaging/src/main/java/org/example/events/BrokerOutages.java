package org.example.events;

import io.outboxed.OutboxMessage;
import io.outboxed.spi.FailureClassifier;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.errors.RetriableException;

/** While the broker is down, events wait and no attempt counts. */
@ApplicationScoped
public class BrokerOutages implements FailureClassifier {

    @Override
    public Verdict classify(OutboxMessage message, String handler, Throwable failure, Verdict builtIn) {
        return handler.equals(EventsChannel.NAME) && isOutage(failure) ? Verdict.DEFER : builtIn;
    }

    /** Connectors wrap what Kafka's client has reported, or don't. */
    private static boolean isOutage(Throwable failure) {
        return failure instanceof TimeoutException
                || failure instanceof RetriableException
                || failure != null && isOutage(failure.getCause());
    }
}
