package io.outboxed.kafka;

import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.LaneHash;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * A row of an event. Its time is an hour ago, so that the time of the event can't be mistaken for the time of sending.
 *
 * @param headers as a JSON object, or null
 */
record VariedEvent(UUID id, String aggregateType, String aggregateId, String type, String payload, String headers) {
    static final List<String> AGGREGATE_TYPES = List.of("order", "Customer_v2.0-eu");

    private static final Duration AGE = Duration.ofHours(1);
    private static final List<String> AGGREGATE_IDS = List.of(
            "1",
            "o-1",
            "clé-Ключ-鍵-🔑",
            " spaces  before and after ",
            "tab\tand\nline",
            "'single' \"double\" \\backslash ${routedByValue}",
            "{\"id\":1}",
            "x".repeat(255));
    private static final List<String> PAYLOADS = List.of(
            "{\"item\":\"tea\"}",
            "[{\"item\":\"tea\"},null,[]]",
            "{ \"spaced\" :\t[ 1 ,2 ],\r\n  \"b\": {}, \"a\": [], \"a\": null }",
            "{\"numbers\":[0,-0,-0.0,0.10,1E+2,1e-7,1e400,12345678901234567890123,0.1234567890123456789]}",
            "{\"raw\":\"é Ж 鍵 🔑 \u2028\",\"escaped\":\"\\u00e9 \\ud83d\\udd11 \\u0000 \\\\ \\/\"}",
            "\"text\"",
            "12.50",
            "true",
            "null",
            "",
            "  ",
            "not JSON: <a b='c'>&amp;</a>",
            "{\"large\":\"" + "é鍵🔑 large ".repeat(35_000) + "\"}");
    private static final List<String> HEADERS = Arrays.asList(
            null,
            "{\"tenant\":\"t1\"}",
            "{\"traceparent\":\"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\",\"tracestate\":\"a=b\"}",
            "{\"id\":\"forged\",\"schlüssel\":\"🔑\"}");

    /** Each payload for each aggregate id. */
    static List<VariedEvent> all() {
        List<VariedEvent> all = new ArrayList<>();
        for (String payload : PAYLOADS) {
            for (String aggregateId : AGGREGATE_IDS) {
                int number = all.size();
                all.add(new VariedEvent(
                        UUID.randomUUID(),
                        AGGREGATE_TYPES.get(number / AGGREGATE_IDS.size() % AGGREGATE_TYPES.size()),
                        aggregateId,
                        "type." + number,
                        payload,
                        HEADERS.get(number % HEADERS.size())));
            }
        }
        return all;
    }

    static void store(List<VariedEvent> events, StoredEvents stored) throws SQLException {
        try (Connection publisher = stored.open();
                PreparedStatement insert = publisher.prepareStatement(
                        "INSERT INTO outbox_message (id, shard, lane, aggregate_type, aggregate_id, type, payload,"
                                + " payload_size, headers, created_at, registry_version)"
                                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)")) {
            Dialect dialect = Dialect.from(publisher.getMetaData());
            for (VariedEvent event : events) {
                event.addTo(insert, dialect);
            }
            insert.executeBatch();
        }
    }

    private void addTo(PreparedStatement insert, Dialect dialect) throws SQLException {
        long lane = LaneHash.lane(aggregateType, aggregateId);
        insert.setObject(1, dialect.uuidParameter(id));
        insert.setInt(2, LaneHash.shard(lane));
        insert.setLong(3, lane);
        insert.setString(4, aggregateType);
        insert.setString(5, aggregateId);
        insert.setString(6, type);
        insert.setString(7, payload);
        insert.setInt(8, payload.getBytes(StandardCharsets.UTF_8).length);
        insert.setString(9, headers);
        insert.setTimestamp(10, Timestamp.from(Instant.now().minus(AGE)));
        insert.addBatch();
    }
}
