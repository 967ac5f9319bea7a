package io.outboxed.kafka;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;

/** The topics that could not be written to when they were last checked. Used under the lock of the check. */
final class Problems {
    /** A topic is checked again after this time at the earliest, so that an outage costs little. */
    private static final long BETWEEN_CHECKS = TimeUnit.SECONDS.toNanos(1);

    private final Map<String, Problem> byTopic = new HashMap<>();
    private boolean nobodyAnswers;
    private long checkedAt;

    private record Problem(String text, long foundAt) {}

    /**
     * A broker has answered.
     *
     * @param found by topic, one sentence each
     * @return whether a topic has become bad
     */
    boolean answered(Collection<String> topics, Map<String, String> found) {
        nobodyAnswers = false;
        return checked(topics, found);
    }

    /** @return whether a topic has become bad */
    boolean notAnswered(Collection<String> topics, Throwable cause) {
        return unknown(topics, inWords(cause));
    }

    /**
     * No broker was asked.
     *
     * @return whether a topic has become bad
     */
    boolean noClient(Collection<String> topics, KafkaException cause) {
        return unknown(
                topics,
                "Kafka's client can't be made with the settings of " + KafkaKeys.PREFIX + "* (" + CauseChain.inWords(cause)
                        + "). Correct what they refer to, or correct them and start the application again");
    }

    private boolean unknown(Collection<String> topics, String text) {
        nobodyAnswers = true;
        Map<String, String> found = new HashMap<>();
        topics.forEach(topic -> found.put(topic, text));
        return checked(topics, found);
    }

    private static String inWords(Throwable cause) {
        return cause instanceof AuthenticationException
                ? "it refuses the login (" + CauseChain.inWords(cause) + "). Check " + KafkaKeys.PREFIX + "sasl.*, "
                        + KafkaKeys.PREFIX + "ssl.* and " + KafkaKeys.PREFIX + "security.protocol"
                : "it does not answer: " + cause;
    }

    private boolean checked(Collection<String> topics, Map<String, String> found) {
        checkedAt = System.nanoTime();
        boolean isNew = !byTopic.keySet().containsAll(found.keySet());
        topics.forEach(byTopic::remove);
        found.forEach((topic, text) -> byTopic.put(topic, new Problem(text, checkedAt)));
        return isNew;
    }

    /** Otherwise an outage would be noticed by one event after the other, each of which then has to wait. */
    void pauseWhileNobodyAnswers() throws InterruptedException {
        long left = nobodyAnswers ? BETWEEN_CHECKS - (System.nanoTime() - checkedAt) : 0;
        if (left > 0) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
    }

    boolean exist() {
        return !byTopic.isEmpty();
    }

    boolean exist(String topic) {
        return byTopic.containsKey(topic);
    }

    boolean isRecent(String topic) {
        Problem problem = byTopic.get(topic);
        return problem != null && System.nanoTime() - problem.foundAt() < BETWEEN_CHECKS;
    }

    String of(String topic) {
        Problem problem = byTopic.get(topic);
        return problem == null ? "it was not checked" : problem.text();
    }

    SortedSet<String> texts() {
        SortedSet<String> texts = new TreeSet<>();
        byTopic.values().forEach(problem -> texts.add(problem.text()));
        return texts;
    }
}
