package io.outboxed.faults.app;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.OutboxAdmin;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.ReplayResult;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import javax.sql.DataSource;

/**
 * Replays all dead letters and records them. Their payloads, which name the event in the history, are only in the
 * tables.
 */
@ApplicationScoped
public class Replays {
    private static final int PAGE = 500;
    private static final int BULK_PER_SECOND = 2;

    private record Key(UUID message, String handler) {}

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    @Inject
    Journal journal;

    @Inject
    DeadLetters deadLetters;

    @Inject
    OutboxAdmin admin;

    /**
     * All with one call. They are not recorded, so the driver has to know them.
     *
     * @return how many
     */
    int all() {
        int replayed = 0;
        for (int more = PAGE; more == PAGE; replayed += more) {
            more = deadLetters.replay(DeadLetterFilter.all(), PAGE, true);
        }
        return replayed;
    }

    /**
     * Each by itself.
     *
     * @return how many
     */
    int eachByItself() throws SQLException {
        return recordEach(
                letter -> deadLetters.replay(letter.messageId(), letter.handler(), true) == ReplayResult.REPLAYED);
    }

    /**
     * All that exist now, as a bulk operation: any node continues it. It is slow, so that faults come in between.
     *
     * @return how many there were; none while an earlier one continues
     */
    int inBulk() throws SQLException {
        if (admin.operations().stream().anyMatch(Replays::isRunning)) {
            return 0;
        }
        AtomicReference<Instant> last = new AtomicReference<>(Instant.EPOCH);
        int found = recordEach(letter -> {
            last.accumulateAndGet(letter.diedAt(), (one, other) -> one.isAfter(other) ? one : other);
            return true;
        });
        if (found > 0) {
            BulkRequest request = BulkRequest.replay(DeadLetterFilter.all().diedUntil(last.get()))
                    .allowReordering(true)
                    .perSecond(BULK_PER_SECOND);
            admin.start(request, new Attribution("faults", "faults", "a bulk replay under fire"));
        }
        return found;
    }

    private static boolean isRunning(BulkOperation operation) {
        return operation.state() == BulkOperation.State.RUNNING
                && operation.request().kind() == BulkRequest.Kind.REPLAY;
    }

    /** Records that each is going to be replayed, and then calls this with it: how many times that was true. */
    private int recordEach(Predicate<DeadLetter> then) throws SQLException {
        Map<Key, String> payloads = payloads();
        int counted = 0;
        String after = null;
        do {
            DeadLetters.Page page = deadLetters.find(DeadLetterFilter.all(), after, PAGE);
            for (DeadLetter letter : page.letters()) {
                String payload = payloads.get(new Key(letter.messageId(), letter.handler()));
                if (payload != null) {
                    journal.replayed(letter.handler(), payload, String.valueOf(letter.error()));
                    counted += then.test(letter) ? 1 : 0;
                }
            }
            after = page.next();
        } while (after != null);
        return counted;
    }

    private Map<Key, String> payloads() throws SQLException {
        Map<Key, String> payloads = new HashMap<>();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT message_id, handler, payload FROM outbox_dead")) {
            while (rows.next()) {
                payloads.put(new Key(uuid(rows.getObject(1)), rows.getString(2)), rows.getString(3));
            }
        }
        return payloads;
    }

    private static UUID uuid(Object value) {
        if (value instanceof byte[] bytes) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            return new UUID(buffer.getLong(), buffer.getLong());
        }
        return UUID.fromString(value.toString());
    }
}
