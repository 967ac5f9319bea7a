package io.outboxed.faults;

import io.outboxed.faults.Facts.Event;
import io.outboxed.faults.Facts.Letter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The end of a run: writers are quiet, everybody is well, dead letters are replayed, and nothing may be left. */
final class Drain {
    private static final long LONGEST_MILLIS = 90_000;

    private final Cluster cluster;
    private final Storage storage;
    private final Set<String> died = new HashSet<>();
    private final List<Letter> unordered = new ArrayList<>();
    private long left;
    private long emptyAt;
    private long millis;

    Drain(Cluster cluster, Storage storage) {
        this.cluster = cluster;
        this.storage = storage;
    }

    /** @return what is still a dead letter at the end */
    List<Letter> run() throws SQLException {
        long begin = System.nanoTime();
        cluster.quiet();
        try (Connection connection = storage.connect()) {
            awaitEmpty(connection);
            emptyAt = Micros.now();
            note(connection);
            cluster.nodes().forEach(node -> node.post("cure"));
            Say.progress("replayed at the end: %s", cluster.nodes().get(0).post("replay"));
            awaitEmpty(connection);
            left = Facts.count(connection, "outbox_message");
            millis = (System.nanoTime() - begin) / 1_000_000;
            return Facts.letters(connection);
        }
    }

    /** Handler and event of the dead letters that there were before the last replay. */
    Set<String> died() {
        return died;
    }

    List<Letter> unordered() {
        return unordered;
    }

    long left() {
        return left;
    }

    /** When nothing was waiting for the first time. */
    long emptyAt() {
        return emptyAt;
    }

    long millis() {
        return millis;
    }

    private void awaitEmpty(Connection connection) throws SQLException {
        long deadline = System.nanoTime() + LONGEST_MILLIS * 1_000_000;
        while (Facts.count(connection, "outbox_message") > 0 && System.nanoTime() < deadline) {
            Pause.millis(500);
        }
    }

    private void note(Connection connection) throws SQLException {
        Map<String, Event> committed = Facts.read(connection).committed();
        for (Letter letter : Facts.letters(connection)) {
            died.add(letter.bean() + " " + letter.id());
            Event event = committed.get(letter.id());
            if (event == null || !event.isPoison() || !letter.bean().equals("Courier")) {
                unordered.add(letter);
            }
        }
    }
}
