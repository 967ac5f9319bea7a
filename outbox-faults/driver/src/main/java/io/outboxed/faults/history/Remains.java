package io.outboxed.faults.history;

import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Facts.Letter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What waits at a moment. If the outside handler fails for enough aggregates that begin with poison, it counts as down,
 * and these wait: that is not promised otherwise. All else must not be left.
 *
 * @param messages ordered by lane and position
 * @param others deliveries without a message, and lanes without one
 */
public record Remains(List<Message> messages, long others) {
    private static final String COURIER = "Courier";
    /** Each bean that waits has a row; one that had succeeded before the message was split has none. */
    private static final int SPLIT = 3;

    /**
     * @param event null if it is not known
     * @param waiting the beans that have not completed it
     */
    public record Message(long lane, Event event, Set<String> waiting) {
        private boolean isPoison() {
            return event != null && event.fault().equals("POISON");
        }
    }

    /** Messages that wait for nothing but the outside handler, in aggregates where it has to begin with poison. */
    public long behindPoison() {
        Map<Long, Message> first = new HashMap<>();
        messages.stream()
                .filter(message -> message.waiting().contains(COURIER))
                .forEach(message -> first.putIfAbsent(message.lane(), message));
        return messages.stream()
                .filter(message -> message.waiting().equals(Set.of(COURIER))
                        && first.get(message.lane()).isPoison())
                .count();
    }

    public long unexpected() {
        return messages.size() - behindPoison() + others;
    }

    public boolean isEmpty() {
        return messages.isEmpty() && others == 0;
    }

    /** Whether there is a message whose event was committed later than the known ones, or never. */
    public boolean hasUnknown() {
        return messages.stream().anyMatch(message -> message.event() == null);
    }

    /** @param committed the known events */
    public static Remains read(Connection connection, Map<String, Event> committed) throws SQLException {
        Map<Long, Set<String>> done = new HashMap<>();
        Map<Long, Set<String>> open = new HashMap<>();
        Facts.query(
                connection,
                "SELECT seq, handler, state FROM outbox_delivery",
                row -> (row.getInt(3) == 1 ? done : open)
                        .computeIfAbsent(row.getLong(1), none -> new HashSet<>())
                        .add(Letter.bean(row.getString(2))));
        List<Message> messages = new ArrayList<>();
        Facts.query(
                connection,
                "SELECT seq, lane, status, only_handler, payload FROM outbox_message ORDER BY lane, seq",
                row -> {
                    long seq = row.getLong(1);
                    String only = row.getString(4);
                    Event event = committed.get(Letter.idIn(row.getString(5)));
                    Set<String> waiting = waiting(
                            row.getInt(3),
                            only == null ? null : Letter.bean(only),
                            event,
                            done.getOrDefault(seq, Set.of()),
                            open.getOrDefault(seq, Set.of()));
                    messages.add(new Message(row.getLong(2), event, waiting));
                });
        long lanes = Facts.count(
                connection, "outbox_lane l WHERE NOT EXISTS (SELECT 1 FROM outbox_message m WHERE m.lane = l.lane)");
        long deliveries = Facts.count(
                connection, "outbox_delivery d WHERE NOT EXISTS (SELECT 1 FROM outbox_message m WHERE m.seq = d.seq)");
        return new Remains(messages, lanes + deliveries);
    }

    /**
     * The beans that have not completed a message.
     *
     * @param done those with a row that says so
     * @param open those with a row that waits
     */
    static Set<String> waiting(int status, String only, Event event, Set<String> done, Set<String> open) {
        Set<String> waiting = new HashSet<>();
        if (status != SPLIT && only != null) {
            waiting.add(only);
        } else if (status != SPLIT && event != null) {
            waiting.addAll(event.handlers());
        }
        waiting.removeAll(done);
        waiting.addAll(open);
        return waiting;
    }
}
