package io.outboxed.kafka;

import io.outboxed.kafka.broker.RealKafka;
import io.outboxed.kafka.broker.TopicReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * What a topic has received, compared with what was published.
 *
 * @param distinct events that arrived
 * @param duplicates records of an event that had arrived before
 * @param gaps an event came before an earlier one of its key
 * @param backwards a duplicate came after a later event of its key
 */
record TopicHistory(int distinct, int duplicates, List<String> gaps, List<String> backwards) {

    static TopicHistory of(RealKafka kafka, String topic) {
        Set<String> ids = new HashSet<>();
        Map<String, Integer> last = new HashMap<>();
        List<String> gaps = new ArrayList<>();
        List<String> backwards = new ArrayList<>();
        int duplicates = 0;
        for (ConsumerRecord<String, byte[]> record : TopicReader.all(kafka, topic)) {
            int number = Integer.parseInt(new String(record.value(), StandardCharsets.UTF_8));
            int before = last.getOrDefault(record.key(), 0);
            if (!ids.add(new String(record.headers().lastHeader("ce_id").value(), StandardCharsets.UTF_8))) {
                duplicates++;
            }
            if (number > before + 1) {
                gaps.add(record.key() + ": " + number + " after " + before);
            }
            if (number < before) {
                backwards.add(record.key() + ": " + number + " after " + before);
            }
            last.merge(record.key(), number, Math::max);
        }
        return new TopicHistory(ids.size(), duplicates, gaps, backwards);
    }
}
