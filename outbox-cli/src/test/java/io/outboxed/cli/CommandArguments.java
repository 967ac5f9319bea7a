package io.outboxed.cli;

import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.PauseTarget;
import io.outboxed.admin.WaitingFilter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A command and its options. */
record CommandArguments(List<String> list) {

    static CommandArguments of(String... words) {
        return new CommandArguments(List.of(words));
    }

    CommandArguments with(String... words) {
        return new CommandArguments(
                Stream.concat(list.stream(), Stream.of(words)).toList());
    }

    CommandArguments when(boolean condition, String word) {
        return condition ? with(word) : this;
    }

    /** @param value null for none */
    private CommandArguments option(String name, Object value) {
        return value == null ? this : with(name, value.toString());
    }

    CommandArguments page(String after, int limit) {
        return option("--after", after).with("--limit", Integer.toString(limit));
    }

    CommandArguments selecting(DeadLetterFilter filter) {
        CommandArguments event =
                filter.messageId() == null ? this : with(filter.messageId().toString());
        return event.selecting(
                        filter.handler(),
                        filter.type(),
                        filter.aggregateType(),
                        filter.aggregateId(),
                        filter.errorText())
                .option("--error-kind", filter.errorKind())
                .option("--since", filter.diedSince())
                .option("--until", filter.diedUntil())
                .when(filter.blocking(), "--blocking");
    }

    CommandArguments selectingOrAll(DeadLetterFilter filter) {
        return when(filter.diedUntil(null).equals(DeadLetterFilter.all()), "--all")
                .selecting(filter);
    }

    CommandArguments selecting(WaitingFilter filter) {
        return with("--state", filter.state().name().toLowerCase(Locale.ROOT))
                .selecting(
                        filter.handler(),
                        filter.type(),
                        filter.aggregateType(),
                        filter.aggregateId(),
                        filter.errorText())
                .option("--error-kind", filter.errorKind())
                .option("--since", filter.createdSince())
                .option("--until", filter.createdUntil());
    }

    private CommandArguments selecting(
            String handler, String type, String aggregateType, String aggregateId, String error) {
        return option("--handler", handler)
                .option("--type", type)
                .option("--aggregate-type", aggregateType)
                .option("--aggregate-id", aggregateId)
                .option("--error", error);
    }

    CommandArguments naming(PauseTarget.Kind kind, String name) {
        return switch (kind) {
            case ALL -> with("--all");
            case TYPE -> with("--type", name);
            case HANDLER -> with("--handler", name);
        };
    }
}
