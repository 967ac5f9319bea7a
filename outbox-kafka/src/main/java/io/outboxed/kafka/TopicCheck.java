package io.outboxed.kafka;

import io.outboxed.internal.log.OutboxLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Asks the broker whether topics exist, may be written to, and take what the producer is allowed to send. */
final class TopicCheck {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

    private final KafkaSettings settings;
    private final Set<String> notCheckedLogged = new HashSet<>();
    /** The client of the check that is under way. */
    private volatile Admin asking;

    private volatile boolean closed;

    TopicCheck(KafkaSettings settings) {
        this.settings = settings;
    }

    /**
     * One text for each topic that has a problem.
     *
     * @throws TimeoutException or ExecutionException if no broker answers
     */
    Map<String, String> problems(Collection<String> topics)
            throws InterruptedException, ExecutionException, TimeoutException {
        Map<String, Object> config = new HashMap<>();
        settings.producer().forEach((name, value) -> {
            // those that Kafka does not know are for plug-ins, which this client has too
            if (AdminClientConfig.configNames().contains(name)
                    || !ProducerConfig.configNames().contains(name)) {
                config.put(name, value);
            }
        });
        config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
        config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
        Admin admin = Admin.create(config);
        asking = admin;
        try {
            if (closed) {
                throw new TimeoutException("the application ends");
            }
            return problems(admin, topics);
        } finally {
            asking = null;
            admin.close(Duration.ZERO);
        }
    }

    /** Ends a check that is under way, and waits for its client, whose thread may hang: two seconds. For any thread. */
    void close() {
        closed = true;
        Admin open = asking;
        if (open != null) {
            // ends its requests; with zero it would wait for ever
            open.close(Duration.ofMillis(1));
            open.close(CLOSE_WITHIN);
        }
    }

    Map<String, String> problems(Admin admin, Collection<String> topics)
            throws InterruptedException, ExecutionException, TimeoutException {
        Map<String, String> problems = new TreeMap<>();
        List<String> existing = new ArrayList<>();
        var described = admin.describeTopics(topics, new DescribeTopicsOptions().includeAuthorizedOperations(true))
                .topicNameValues();
        for (var each : described.entrySet()) {
            try {
                Set<AclOperation> allowed = get(each.getValue()).authorizedOperations();
                if (allowed != null && !allowed.contains(AclOperation.WRITE) && !allowed.contains(AclOperation.ALL)) {
                    problems.put(
                            each.getKey(),
                            "topic " + each.getKey() + ": this application has no permission to write to it (WRITE)");
                } else {
                    existing.add(each.getKey());
                }
            } catch (ExecutionException e) {
                problems.put(each.getKey(), "topic " + each.getKey() + ": " + reason(e));
            }
        }
        limits(admin, existing, problems);
        return problems;
    }

    private static String reason(ExecutionException e) throws ExecutionException {
        if (e.getCause() instanceof UnknownTopicOrPartitionException) {
            return "it does not exist, or this application has no permission to see it. Create it, or change "
                    + KafkaKeys.ROUTE_PREFIX + "*";
        }
        if (e.getCause() instanceof AuthorizationException) {
            return "this application has no permission to see it (DESCRIBE)";
        }
        throw e;
    }

    /** A batch that the topic does not take is split and sent again, and its events may overtake each other. */
    private void limits(Admin admin, List<String> topics, Map<String, String> problems)
            throws InterruptedException, ExecutionException, TimeoutException {
        var configs = admin.describeConfigs(topics.stream()
                        .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
                        .toList())
                .values();
        for (var each : configs.entrySet()) {
            try {
                Optional.ofNullable(get(each.getValue()).get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG))
                        .map(ConfigEntry::value)
                        .map(Long::valueOf)
                        .ifPresent(most -> {
                            limit(each.getKey().name(), ProducerConfig.MAX_REQUEST_SIZE_CONFIG, most, problems);
                            limit(each.getKey().name(), ProducerConfig.BATCH_SIZE_CONFIG, most, problems);
                        });
            } catch (ExecutionException e) {
                String topic = each.getKey().name();
                if (isNotToldToUs(e.getCause())) {
                    notChecked(topic, e.getCause());
                } else {
                    problems.put(topic, "topic " + topic + ": " + reason(e));
                }
            }
        }
    }

    /** Then the limit can't be checked; a record that is too large is rejected by the broker. */
    private static boolean isNotToldToUs(Throwable failure) {
        return failure instanceof AuthorizationException || failure instanceof UnsupportedVersionException;
    }

    private void notChecked(String topic, Throwable cause) {
        if (notCheckedLogged.add(topic)) {
            OutboxLog.kafkaLimitNotChecked(
                    topic,
                    cause instanceof AuthorizationException
                            ? "this application has no permission to read its settings (DESCRIBE_CONFIGS on Topic)"
                            : CauseChain.inWords(cause));
        }
    }

    private void limit(String topic, String key, long most, Map<String, String> problems) {
        long size = settings.sizeOf(key);
        if (size > most) {
            problems.merge(
                    topic,
                    "topic " + topic + " takes messages of at most " + most + " bytes (max.message.bytes), but "
                            + KafkaKeys.PREFIX + key + " is " + size + ". Set it to at most " + most
                            + ", or raise max.message.bytes",
                    (own, more) -> own + TopicProblems.SEPARATOR + more);
        }
    }

    private static <T> T get(KafkaFuture<T> answer) throws InterruptedException, ExecutionException, TimeoutException {
        return answer.get(2 * PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }
}
