package io.outboxed.kafka;

import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A failure and its causes, and what they say, without secrets. */
final class CauseChain {
    /** Kafka's parser quotes what it does not understand, which may be a part of the password. */
    private static final String OF_THE_JAAS_PARSER = "JAAS config";

    /** Causes may form a circle. */
    private static final int DEEPEST = 64;

    private static final Pattern QUOTED = Pattern.compile("'.*'", Pattern.DOTALL);

    private CauseChain() {}

    static Stream<Throwable> of(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(DEEPEST);
    }

    static String inWords(Throwable failure) {
        return of(failure)
                .filter(each -> !onlyRepeatsItsCause(each))
                .map(each -> each.getClass().getSimpleName() + ": " + withoutSecrets(each.getMessage()))
                .collect(Collectors.joining("; "));
    }

    private static boolean onlyRepeatsItsCause(Throwable failure) {
        return failure.getCause() != null && failure.getCause().toString().equals(failure.getMessage());
    }

    private static String withoutSecrets(String message) {
        return message != null && message.contains(OF_THE_JAAS_PARSER)
                ? QUOTED.matcher(message).replaceAll("[hidden]")
                : message;
    }
}
