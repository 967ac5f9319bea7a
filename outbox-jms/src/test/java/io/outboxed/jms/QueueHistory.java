package io.outboxed.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a queue has received. The text of each message is the number of its event within its group, from 1.
 *
 * @param distinct events that arrived
 * @param duplicates messages of an event that had arrived before
 * @param gaps an event came before an earlier one of its group, also where events were repeated
 * @param backwards a duplicate came after a later event of its group
 */
record QueueHistory(int distinct, int duplicates, List<String> gaps, List<String> backwards) {

    static QueueHistory of(List<Message> messages) throws JMSException {
        Set<String> ids = new HashSet<>();
        Map<String, Integer> last = new HashMap<>();
        List<String> gaps = new ArrayList<>();
        List<String> backwards = new ArrayList<>();
        for (Message message : messages) {
            String group = message.getStringProperty("JMSXGroupID");
            int number = Integer.parseInt(message.getBody(String.class));
            int before = last.getOrDefault(group, 0);
            ids.add(message.getStringProperty("cloudEvents_id"));
            if (number > before + 1) {
                gaps.add(group + ": " + number + " after " + before);
            }
            if (number < before) {
                backwards.add(group + ": " + number + " after " + before);
            }
            last.put(group, number);
        }
        return new QueueHistory(ids.size(), messages.size() - ids.size(), gaps, backwards);
    }
}
