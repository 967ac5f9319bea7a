package io.outboxed.faults.app.operator;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.faults.app.Journal;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiPredicate;
import javax.sql.DataSource;

/**
 * Records dead letters before an operator changes them. Their payloads, which name the event in the history, are only in
 * the tables.
 */
@ApplicationScoped
public class RecordedLetters {
    private static final int PAGE = 500;

    private record Key(UUID message, String handler) {}

    @Resource(lookup = "java:app/jdbc/outbox")
    DataSource dataSource;

    @Inject
    Journal journal;

    @Inject
    DeadLetters deadLetters;

    /**
     * Records that each of these existed, and then calls this with it and its payload.
     *
     * @return how many times that was true
     */
    int each(DeadLetterFilter filter, BiPredicate<DeadLetter, String> then) throws SQLException {
        Map<Key, String> payloads = payloads();
        int counted = 0;
        String after = null;
        do {
            DeadLetters.Page page = deadLetters.find(filter, after, PAGE);
            for (DeadLetter letter : page.letters()) {
                String payload = payloads.get(new Key(letter.messageId(), letter.handler()));
                if (payload != null) {
                    journal.died(letter.handler(), payload, String.valueOf(letter.error()));
                    counted += then.test(letter, payload) ? 1 : 0;
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
