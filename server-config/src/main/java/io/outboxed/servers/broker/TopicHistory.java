package io.outboxed.servers.broker;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What a topic has received. The value of each record is the number of its event within its key, from 1; its header
 * {@code ce_id} or {@code id} is the event's id.
 *
 * @param distinct events that arrived
 * @param duplicates records of an event that had arrived before
 * @param gaps an event came before an earlier one of its key, also where events were repeated
 * @param backwards a repetition of several events of a key began: a duplicate came after a later one
 * @param stale keys whose last record is not their latest event: what a compacted topic keeps of them is wrong
 */
public record TopicHistory(
        int distinct, int duplicates, List<String> gaps, List<String> backwards, List<String> stale) {

    public static TopicHistory of(RealKafka kafka, String topic) {
        Recorder recorder = new Recorder();
        TopicReader.each(kafka, topic, recorder::add);
        return recorder.history();
    }

    /** As a consumer sees it that reads committed records only. */
    public static TopicHistory committed(RealKafka kafka, String topic) {
        Recorder recorder = new Recorder();
        TopicReader.eachCommitted(kafka, topic, recorder::add);
        return recorder.history();
    }

    /** How often, at most, several events of one key were sent again. */
    public long mostRepetitions() {
        return backwards.stream()
                .collect(Collectors.groupingBy(each -> each.substring(0, each.indexOf(':')), Collectors.counting()))
                .values()
                .stream()
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    /** Debezium writes ids of MySQL as 32 digits. */
    public static UUID id(ConsumerRecord<String, byte[]> record) {
        String name = record.headers().lastHeader("ce_id") != null ? "ce_id" : "id";
        String digits = new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8).replace("-", "");
        return new UUID(
                Long.parseUnsignedLong(digits.substring(0, 16), 16), Long.parseUnsignedLong(digits.substring(16), 16));
    }

    private static final class Recorder {
        private final Set<UUID> ids = new HashSet<>();
        private final Map<String, Integer> last = new HashMap<>();
        private final Map<String, Integer> latest = new HashMap<>();
        private final List<String> gaps = new ArrayList<>();
        private final List<String> backwards = new ArrayList<>();
        private int duplicates;

        private void add(ConsumerRecord<String, byte[]> record) {
            int number = Integer.parseInt(new String(record.value(), StandardCharsets.UTF_8));
            int before = last.getOrDefault(record.key(), 0);
            if (!ids.add(id(record))) {
                duplicates++;
            }
            if (number > before + 1) {
                gaps.add(record.key() + ": " + number + " after " + before);
            }
            if (number < before) {
                backwards.add(record.key() + ": " + number + " after " + before);
            }
            last.put(record.key(), number);
            latest.merge(record.key(), number, Math::max);
        }

        private TopicHistory history() {
            List<String> stale = latest.keySet().stream()
                    .filter(key -> last.get(key) < latest.get(key))
                    .map(key -> key + ": " + last.get(key) + " instead of " + latest.get(key))
                    .toList();
            return new TopicHistory(ids.size(), duplicates, gaps, backwards, stale);
        }
    }
}
