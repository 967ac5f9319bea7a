package io.outboxed.kafka;

import io.outboxed.internal.store.cluster.ClaimStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerConfig;

/** What settings have to be in strict mode, beyond what they always have to be. */
final class StrictRules {
    private static final String WITH_STRICT = " with " + KafkaKeys.STRICT + "=true";

    /** The beginning of a problem. */
    static final String LONGEST_CALL = KafkaKeys.PREFIX + "max.block.ms and " + KafkaKeys.PREFIX
            + "delivery.timeout.ms: expected" + WITH_STRICT
            + " that twice delivery.timeout.ms, six times max.block.ms and 1000 ms are together less than ";

    private StrictRules() {}

    static List<String> broken(Map<String, String> producer) {
        List<String> problems = new ArrayList<>();
        if (!producer.containsKey(ProducerConfig.CLIENT_ID_CONFIG)) {
            problems.add(KafkaKeys.PREFIX + ProducerConfig.CLIENT_ID_CONFIG + ": expected a name" + WITH_STRICT
                    + ", but it is not set. The transactional ids begin with it: it has to be the same on all nodes of"
                    + " this application, and no other application may use it");
        }
        String twoPhase = ProducerConfig.TRANSACTION_TWO_PHASE_COMMIT_ENABLE_CONFIG;
        if (!producer.getOrDefault(twoPhase, "false").equals("false")) {
            problems.add(KafkaKeys.PREFIX + twoPhase + ": expected false" + WITH_STRICT
                    + ", or what a dead node leaves behind blocks consumers for ever; got " + producer.get(twoPhase));
        }
        return problems;
    }

    /** How the nodes share the aggregates. */
    static List<String> brokenBy(ClaimStrategy claim) {
        return claim == ClaimStrategy.SHARDS
                ? List.of()
                : List.of(KafkaKeys.STRICT + ": expected false with outbox.relay.claim=" + KafkaKeys.word(claim)
                        + ", because all nodes then have all shards, and would fence each other");
    }

    /** Of settings that Kafka's producer accepts. */
    static Optional<String> brokenTimeout(KafkaSettings settings) {
        long open = settings.longestTransaction().toMillis();
        long timeout = Long.parseLong(settings.producer().get(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG));
        return timeout >= open
                ? Optional.empty()
                : Optional.of(KafkaKeys.PREFIX + ProducerConfig.TRANSACTION_TIMEOUT_CONFIG
                        + ": expected at least delivery.timeout.ms and twice max.block.ms together (" + open
                        + " ms), or a transaction may be aborted under way; got " + timeout);
    }
}
