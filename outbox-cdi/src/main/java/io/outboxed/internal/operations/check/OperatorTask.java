package io.outboxed.internal.operations.check;

import static io.outboxed.internal.operations.check.Privilege.DELETE;
import static io.outboxed.internal.operations.check.Privilege.INSERT;
import static io.outboxed.internal.operations.check.Privilege.SELECT;
import static io.outboxed.internal.operations.check.Privilege.UPDATE;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What an operator's account may be able to do, and the rights that it needs. */
enum OperatorTask {
    READ(
            "read",
            of("message", "version", SELECT),
            of("node", "owner", SELECT),
            of("shard", "shard", SELECT),
            of("lock", "slot", SELECT),
            of("handler", "handler", SELECT),
            of("meta", "name", SELECT),
            of("claim", "lane", SELECT),
            of("lane", "lane", SELECT),
            of("delivery", "seq", SELECT),
            of("dead", "seq", SELECT),
            of("inbox", "receiver", SELECT),
            of("history", "seq", SELECT),
            of("pause", "kind", SELECT),
            of("audit", "id", SELECT),
            of("operation", "id", SELECT)),
    REPLAY(
            "replay",
            of("audit", "changes", INSERT, UPDATE),
            lockShard(),
            of("message", "version", INSERT, UPDATE, DELETE),
            of("delivery", "attempts", UPDATE, DELETE),
            changeLanes(),
            takeDeadLetters()),
    DISCARD("discard", audit(), endDeliveries(), takeDeadLetters()),
    DROP_DELIVERIES("drop-deliveries", audit(), endDeliveries()),
    RETIRE("drop-deliveries --retire", audit(), endDeliveries(), of("handler", "retired", UPDATE)),
    PAUSE("pause and resume", audit(), of("pause", "kind", INSERT, DELETE), of("meta", "setting", UPDATE)),
    BULK(
            "replay, discard and retry --background, cancel",
            audit(),
            of("operation", "changes", INSERT, UPDATE),
            of("meta", "setting", UPDATE)),
    CLEANUP(
            "cleanup",
            of("audit", "target", INSERT, UPDATE, DELETE),
            of("operation", "changes", UPDATE, DELETE),
            of("history", "seq", UPDATE, DELETE),
            of("inbox", "received_at", UPDATE, DELETE),
            takeDeadLetters(),
            of("handler", "retired", DELETE),
            of("meta", "setting", UPDATE)),
    /** The test of row locks. */
    TEST_LOCKS("check row locks", of("meta", "setting", UPDATE));

    private final String words;
    private final List<Right> rights;

    /** @param column any, or the one that is updated */
    record Right(Privilege privilege, String table, String column) {}

    @SafeVarargs
    OperatorTask(String words, List<Right>... rights) {
        this.words = words;
        this.rights = Stream.of(rights).flatMap(List::stream).toList();
    }

    String words() {
        return words;
    }

    List<Right> rights() {
        return rights;
    }

    private static List<Right> of(String table, String column, Privilege... privileges) {
        List<Right> rights = new ArrayList<>();
        for (Privilege privilege : privileges) {
            rights.add(new Right(privilege, table, column));
        }
        return rights;
    }

    private static List<Right> audit() {
        return of("audit", "changes", INSERT);
    }

    private static List<Right> endDeliveries() {
        return Stream.of(
                        lockShard(),
                        of("message", "version", UPDATE, DELETE),
                        of("delivery", "attempts", DELETE),
                        changeLanes())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Right> lockShard() {
        return of("shard", "epoch", UPDATE);
    }

    private static List<Right> changeLanes() {
        return of("lane", "resume_at", INSERT, UPDATE, DELETE);
    }

    /** PostgreSQL locks a row only for those who may update it. */
    private static List<Right> takeDeadLetters() {
        return of("dead", "blocking", UPDATE, DELETE);
    }
}
