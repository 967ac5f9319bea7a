package io.outboxed.faults;

import io.outboxed.faults.history.BulkOperation;
import io.outboxed.faults.history.Facts;
import io.outboxed.faults.history.Facts.Event;
import io.outboxed.faults.history.Facts.Letter;
import io.outboxed.faults.history.LastLooks;
import io.outboxed.faults.history.Micros;
import io.outboxed.faults.history.Remains;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The end of a run: stops the writers, ends all faults, replays the dead letters, and checks that nothing is left. */
final class Drain {
    private static final long LONGEST_MILLIS = 90_000;
    /** For the backlog of a whole run. */
    private static final long LONGEST_BEFORE_CURE_MILLIS = 3 * LONGEST_MILLIS;
    /** In this time, all attempts of poison are made, unless its handler counts as down. */
    private static final long POISON_MILLIS = 10_000;

    private static final String UNFINISHED = "outbox_operation WHERE state = 0";

    private final Cluster cluster;
    private final Storage storage;
    private final List<Letter> beforeReplay = new ArrayList<>();
    private final List<BulkOperation> bulkOperations = new ArrayList<>();
    private WriterCounts writerCounts;
    private Remains beforeCure;
    private long left;
    private long emptyAt;
    private long millis;
    private final List<String> phases = new ArrayList<>();
    private long phaseBegan;

    Drain(Cluster cluster, Storage storage) {
        this.cluster = cluster;
        this.storage = storage;
    }

    /** @return the dead letters that remain at the end */
    List<Letter> run() throws SQLException {
        long begin = System.nanoTime();
        phaseBegan = begin;
        writerCounts = cluster.quiet();
        cluster.ensureNextVersion();
        cluster.nodes().forEach(node -> node.post("release"));
        ended("until the writers had ended and a node had the next version");
        try (Connection connection = storage.connect()) {
            awaitNone(connection, UNFINISHED);
            ended("for bulk operations");
            awaitOnlyPoison(connection);
            ended("until nothing waited but what was behind poison");
            bulkOperations.addAll(BulkOperation.read(connection));
            emptyAt = Micros.now();
            beforeReplay.addAll(Facts.letters(connection));
            cluster.nodes().forEach(node -> node.post("cure"));
            Console.progress("replayed at the end: %s", cluster.nodes().get(0).post("replay-all"));
            awaitEmpty(connection);
            ended("after poison was cured and all dead letters replayed");
            left = left(connection);
            millis = (System.nanoTime() - begin) / 1_000_000;
            return Facts.letters(connection);
        }
    }

    /** The dead letters that existed before the last replay. */
    List<Letter> beforeReplay() {
        return beforeReplay;
    }

    /** What the writers say they did. */
    WriterCounts writerCounts() {
        return writerCounts;
    }

    /** What waited when poison was about to be cured. */
    Remains beforeCure() {
        return beforeCure;
    }

    long left() {
        return left;
    }

    /** When nothing was waiting for the first time, but for events behind poison. */
    long emptyAt() {
        return emptyAt;
    }

    long millis() {
        return millis;
    }

    /** How long it waited for what. */
    String phases() {
        return String.join(", ", phases);
    }

    private void ended(String phase) {
        long now = System.nanoTime();
        phases.add(Micros.seconds((now - phaseBegan) / 1000) + " " + phase);
        phaseBegan = now;
    }

    private void awaitOnlyPoison(Connection connection) throws SQLException {
        Map<String, Event> committed = Facts.read(connection).committed();
        LastLooks looks = new LastLooks();
        long begin = System.nanoTime();
        long waited = 0;
        long onlyPoisonSince = Long.MAX_VALUE;
        do {
            Remains now = Remains.read(connection, committed);
            if (now.hasUnknown()) { // of a transaction that a writer had begun before it was stopped
                committed = Facts.read(connection).committed();
                now = Remains.read(connection, committed);
            }
            looks.add(now);
            beforeCure = looks.least();
            waited = (System.nanoTime() - begin) / 1_000_000;
            onlyPoisonSince = now.unexpected() == 0 ? Math.min(onlyPoisonSince, waited) : Long.MAX_VALUE;
            if (now.isEmpty() || onlyPoisonSince < waited - POISON_MILLIS) {
                return;
            }
            Pause.millis(500);
        } while (waited < LONGEST_BEFORE_CURE_MILLIS);
    }

    private static void awaitNone(Connection connection, String rows) throws SQLException {
        long deadline = System.nanoTime() + LONGEST_MILLIS * 1_000_000;
        while (Facts.count(connection, rows) > 0 && System.nanoTime() < deadline) {
            Pause.millis(500);
        }
    }

    /** Messages, and what may be left of them: an aggregate that still waits would wait for ever. */
    private static long left(Connection connection) throws SQLException {
        return Facts.count(connection, "outbox_message")
                + Facts.count(connection, "outbox_delivery")
                + Facts.count(connection, "outbox_lane");
    }

    /** As they were when nothing was waiting for the first time. */
    List<BulkOperation> bulkOperations() {
        return bulkOperations;
    }

    private static void awaitEmpty(Connection connection) throws SQLException {
        for (String table : List.of("outbox_message", "outbox_delivery", "outbox_lane")) {
            awaitNone(connection, table);
        }
    }
}
