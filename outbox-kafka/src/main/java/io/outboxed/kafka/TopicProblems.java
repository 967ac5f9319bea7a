package io.outboxed.kafka;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.InterruptException;

/** The topics that could not be written to when they were last checked. Used under the lock of the check. */
final class TopicProblems {
    /** A topic is checked again after this time at the earliest, so that an outage costs little. */
    static final long BETWEEN_CHECKS = TimeUnit.SECONDS.toNanos(1);

    /** Kafka has no class for it. */
    private static final String NO_ADDRESS = "No resolvable bootstrap urls";

    /** Between several problems of a topic. */
    static final String SEPARATOR = "\n  ";

    private final Map<String, Problem> byTopic = new HashMap<>();
    /** In this outage, by topic. Otherwise problems that take turns would fill the log. */
    private final Map<String, Set<String>> kinds = new HashMap<>();

    private final LongSupplier nanoClock;
    private boolean unanswered;
    private long checkedAt;

    TopicProblems(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** @param kind the beginning of the text, which does not change while the problem lasts */
    private record Problem(String kind, String details, boolean ofTopic, long foundAt) {
        static Problem ofTopic(String kind, long foundAt) {
            return new Problem(kind, "", true, foundAt);
        }

        Problem foundAgain(long now) {
            return new Problem(kind, details, ofTopic, now);
        }

        private String text() {
            return kind + details;
        }
    }

    /**
     * A broker has answered.
     *
     * @param found by topic, a text each
     * @return whether a topic has become bad, or has a problem of a kind that it did not have in this outage
     */
    boolean answered(Collection<String> topics, Map<String, String> found) {
        unanswered = false;
        byTopic.values().removeIf(problem -> !problem.ofTopic());
        return checked(topics, found.keySet(), topic -> Problem.ofTopic(found.get(topic), now()));
    }

    /** @return as above */
    boolean notAnswered(Collection<String> topics, Throwable cause) {
        return cause instanceof AuthenticationException
                ? unknown(
                        topics,
                        ofBroker(
                                "it refuses the login",
                                " (" + CauseChain.inWords(cause) + "). Check " + KafkaKeys.PREFIX + "sasl.*, "
                                        + KafkaKeys.PREFIX + "ssl.* and " + KafkaKeys.PREFIX + "security.protocol"))
                : unknown(topics, ofBroker("it does not answer", ": " + cause));
    }

    /**
     * No broker was asked.
     *
     * @return as above
     */
    boolean noClient(Collection<String> topics, KafkaException cause) {
        Optional<Throwable> passing =
                CauseChain.of(cause).filter(TopicProblems::isPassing).findFirst();
        return passing.isPresent()
                ? notAnswered(topics, passing.get())
                : unknown(
                        topics,
                        ofBroker(
                                "Kafka's client can't be made with the settings of " + KafkaKeys.PREFIX + "*",
                                " (" + CauseChain.inWords(cause) + "). Correct what they refer to, or correct them"
                                        + " and start the application again"));
    }

    /** What any answer ends, whichever topics were asked for. */
    private Problem ofBroker(String kind, String details) {
        return new Problem(kind, details, false, now());
    }

    /** No setting is wrong: the name service does not know the brokers now, or the node stops. */
    private static boolean isPassing(Throwable cause) {
        return cause instanceof InterruptException
                || cause instanceof InterruptedException
                || String.valueOf(cause.getMessage()).startsWith(NO_ADDRESS);
    }

    private boolean unknown(Collection<String> topics, Problem problem) {
        unanswered = true;
        return checked(topics, topics, topic -> problem);
    }

    private boolean checked(Collection<String> topics, Collection<String> bad, Function<String, Problem> problemOf) {
        checkedAt = now();
        topics.forEach(byTopic::remove);
        boolean isNew = false;
        for (String topic : bad) {
            Problem problem = problemOf.apply(topic);
            byTopic.put(topic, problem);
            isNew |= kinds.computeIfAbsent(topic, none -> new HashSet<>())
                    .addAll(List.of(problem.kind().split(SEPARATOR)));
        }
        kinds.keySet().retainAll(byTopic.keySet());
        return isNew;
    }

    /** Otherwise one event after another would discover the outage, and each would wait for it. */
    void pauseWhileUnanswered() throws InterruptedException {
        long left = unanswered ? BETWEEN_CHECKS - (now() - checkedAt) : 0;
        if (left > 0) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
    }

    /**
     * Those whose own problem was found a while ago. Perhaps no event for them comes for days, and meanwhile the problem
     * would be listed although it is over.
     */
    Set<String> toCheckAgain() {
        return byTopic.entrySet().stream()
                .filter(each -> each.getValue().ofTopic() && !isRecent(each.getKey()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** They could not be checked again: what is known of them stays. */
    void stay(Collection<String> topics) {
        topics.forEach(topic -> byTopic.computeIfPresent(topic, (same, problem) -> problem.foundAgain(now())));
    }

    boolean exist() {
        return !byTopic.isEmpty();
    }

    boolean exist(String topic) {
        return byTopic.containsKey(topic);
    }

    boolean isRecent(String topic) {
        Problem problem = byTopic.get(topic);
        return problem != null && now() - problem.foundAt() < BETWEEN_CHECKS;
    }

    String of(String topic) {
        Problem problem = byTopic.get(topic);
        return problem == null ? "it was not checked" : problem.text();
    }

    SortedSet<String> texts() {
        SortedSet<String> texts = new TreeSet<>();
        byTopic.values().forEach(problem -> texts.addAll(List.of(problem.text().split(SEPARATOR))));
        return texts;
    }

    private long now() {
        return nanoClock.getAsLong();
    }
}
