package io.outboxed.operator;

import io.outboxed.DeadLetter;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.AuditEntry;
import io.outboxed.admin.FailureGroup;
import io.outboxed.admin.RegisteredHandler;
import io.outboxed.operator.Operator.Event;
import io.outboxed.operator.Operator.HeldUp;
import io.outboxed.operator.Operator.Page;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.json.JsonString;
import java.io.StringReader;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What the command line and the admin API write alike. */
public final class OperatorJson {
    private OperatorJson() {}

    public static JsonObject object(String text) {
        try (JsonReader reader = Json.createReader(new StringReader(text))) {
            return reader.readObject();
        }
    }

    /** @param rows the name of the array */
    public static <T> Page<T> page(JsonObject page, String rows, Function<JsonObject, T> row) {
        return new Page<>(page.getJsonArray(rows).getValuesAs(row), page.getString("next", null));
    }

    public static DeadLetter deadLetter(JsonObject letter) {
        return new DeadLetter(
                id(letter, "messageId"),
                letter.getString("type"),
                letter.getString("aggregateType"),
                letter.getString("aggregateId"),
                letter.getString("handler"),
                letter.getString("handlerGroup"),
                letter.getInt("attempts"),
                letter.getString("error"),
                Instant.parse(letter.getString("createdAt")),
                Instant.parse(letter.getString("diedAt")),
                letter.getBoolean("blocking"));
    }

    public static List<RegisteredHandler> handlers(JsonObject registered) {
        return registered
                .getJsonArray("handlers")
                .getValuesAs((JsonObject each) -> new RegisteredHandler(
                        each.getString("type"),
                        each.getString("handler"),
                        each.getString("group"),
                        each.getBoolean("retired"),
                        each.getJsonNumber("registryVersion").longValueExact(),
                        each.getJsonNumber("waiting").longValueExact(),
                        each.getJsonArray("atLeast").getValuesAs(JsonString::getString)));
    }

    public static List<FailureGroup> failures(JsonObject grouped) {
        return grouped.getJsonArray("failures")
                .getValuesAs((JsonObject each) -> new FailureGroup(
                        each.getString("handler"),
                        each.getString("type"),
                        each.getString("error"),
                        each.getJsonNumber("count").longValueExact(),
                        Instant.parse(each.getString("firstDiedAt")),
                        Instant.parse(each.getString("lastDiedAt")),
                        id(each, "sample")));
    }

    /** States in lower case, as the command line writes them. */
    public static Event event(JsonObject event) {
        Map<String, String> deliveries = event.getJsonArray("deliveries").getValuesAs(JsonObject.class).stream()
                .collect(Collectors.toMap(each -> each.getString("handler"), OperatorJson::state));
        return new Event(
                event.getJsonArray("messages").getValuesAs(OperatorJson::state),
                deliveries,
                event.getJsonArray("deadLetters").getValuesAs((JsonObject letter) -> letter.getString("handler")));
    }

    /** Of a retry. */
    public static Optional<HeldUp> heldUp(JsonObject retried) {
        return retried.isNull("heldUpBy")
                ? Optional.empty()
                : Optional.of(retried.getJsonObject("heldUpBy"))
                        .map(held ->
                                new HeldUp(held.getString("cause").toLowerCase(Locale.ROOT), id(held, "messageId")));
    }

    private static String state(JsonObject row) {
        return row.getString("state").toLowerCase(Locale.ROOT);
    }

    public static AuditEntry auditEntry(JsonObject entry, Attribution attribution) {
        return new AuditEntry(
                id(entry, "id"),
                Instant.parse(entry.getString("at")),
                attribution,
                entry.getString("action"),
                entry.getString("target"),
                id(entry, "messageId"),
                entry.getInt("count"));
    }

    /** @return null if it is missing or null */
    public static UUID id(JsonObject object, String name) {
        String text = object.getString(name, null);
        return text == null ? null : UUID.fromString(text);
    }
}
