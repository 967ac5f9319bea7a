package io.outboxed.rest.input;

import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingState;
import java.time.Instant;
import java.util.UUID;
import java.util.regex.Pattern;

/** The conditions that select dead letters or what waits. */
public final class FilterInput {
    private static final int MAX_ERROR = 1000;
    private static final Pattern UUID_TEXT = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    private FilterInput() {}

    public static DeadLetterFilter deadLetters(Input input) {
        Period period = Period.of(input);
        return new DeadLetterFilter(
                id(input, "messageId"),
                input.text("handler", Input.MAX_NAME),
                input.text("type", Input.MAX_NAME),
                input.storedText("aggregateType", Input.MAX_NAME),
                input.storedText("aggregateId", Input.MAX_NAME),
                input.storedText("error", MAX_ERROR),
                input.text("errorKind", Input.MAX_NAME),
                period.since(),
                period.until(),
                input.flag("blocking"));
    }

    /** From a time on, until before another; each may be null. */
    private record Period(Instant since, Instant until) {
        static Period of(Input input) {
            Period period = new Period(input.instant("since"), input.instant("until"));
            if (period.since != null && period.until != null && !period.since.isBefore(period.until)) {
                input.problem("until", "expected a time after since, which is " + period.since);
            }
            return period;
        }
    }

    private static UUID id(Input input, String name) {
        String text = input.text(name, 36);
        if (text == null) {
            return null;
        }
        // fromString fills up what is too short
        return UUID_TEXT.matcher(text).matches() ? UUID.fromString(text) : input.problem(name, "expected a UUID");
    }

    /** Checks the input too. */
    public static WaitingFilter waiting(Input input) {
        WaitingState state = input.oneOf("state", WaitingState.class);
        String handler = input.text("handler", Input.MAX_NAME);
        String type = input.text("type", Input.MAX_NAME);
        String aggregateType = input.storedText("aggregateType", Input.MAX_NAME);
        String aggregateId = input.storedText("aggregateId", Input.MAX_NAME);
        String error = input.storedText("error", MAX_ERROR);
        String errorKind = input.text("errorKind", Input.MAX_NAME);
        Period period = Period.of(input);
        if (state != null && !state.isOfDeliveries() && (handler != null || error != null || errorKind != null)) {
            input.problem("state", "handler, error and errorKind select deliveries, which are waiting or blocked");
        }
        input.check();
        return new WaitingFilter(
                state, handler, type, aggregateType, aggregateId, error, errorKind, period.since(), period.until());
    }
}
