package io.outboxed.rest.input;

import io.outboxed.DeadLetters;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingState;
import java.time.Instant;
import java.util.UUID;

/** The conditions that select dead letters or what waits. */
public final class Filters {
    private static final int MAX_ERROR = 1000;

    private Filters() {}

    public static DeadLetters.Filter deadLetters(Input input) {
        return new DeadLetters.Filter(
                id(input, "messageId"),
                input.text("handler", Input.MAX_NAME),
                input.text("type", Input.MAX_NAME),
                input.text("aggregateType", Input.MAX_NAME),
                input.text("aggregateId", Input.MAX_NAME),
                input.text("error", MAX_ERROR),
                input.instant("since"),
                input.instant("until"),
                input.flag("blocking"));
    }

    private static UUID id(Input input, String name) {
        String text = input.text(name, 36);
        try {
            return text == null ? null : UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            return input.problem(name, "expected a UUID");
        }
    }

    /** Checks the input too. */
    public static WaitingFilter waiting(Input input) {
        WaitingState state = input.oneOf("state", WaitingState.class);
        String handler = input.text("handler", Input.MAX_NAME);
        String type = input.text("type", Input.MAX_NAME);
        String aggregateType = input.text("aggregateType", Input.MAX_NAME);
        String aggregateId = input.text("aggregateId", Input.MAX_NAME);
        String error = input.text("error", MAX_ERROR);
        Instant since = input.instant("since");
        Instant until = input.instant("until");
        if (state != null && !state.isOfDeliveries() && (handler != null || error != null)) {
            input.problem("state", "handler and error select deliveries, which are waiting or blocked");
        }
        input.check();
        return new WaitingFilter(state, handler, type, aggregateType, aggregateId, error, since, until);
    }
}
