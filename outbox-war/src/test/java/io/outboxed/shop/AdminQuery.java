package io.outboxed.shop;

import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.WaitingFilter;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The parameters of a list of the admin API, or the fields of a filter. */
final class AdminQuery {
    private final Map<String, String> parameters = new LinkedHashMap<>();

    static AdminQuery of(DeadLetterFilter filter) {
        return new AdminQuery()
                .with("messageId", filter.messageId())
                .with("handler", filter.handler())
                .with("type", filter.type())
                .with("aggregateType", filter.aggregateType())
                .with("aggregateId", filter.aggregateId())
                .with("error", filter.errorText())
                .with("errorKind", filter.errorKind())
                .with("since", filter.diedSince())
                .with("until", filter.diedUntil())
                .with("blocking", filter.blocking() ? true : null);
    }

    static AdminQuery of(WaitingFilter filter) {
        return new AdminQuery()
                .with("state", filter.state().name().toLowerCase(Locale.ROOT))
                .with("handler", filter.handler())
                .with("type", filter.type())
                .with("aggregateType", filter.aggregateType())
                .with("aggregateId", filter.aggregateId())
                .with("error", filter.errorText())
                .with("errorKind", filter.errorKind())
                .with("since", filter.createdSince())
                .with("until", filter.createdUntil());
    }

    AdminQuery page(String after, int limit) {
        return with("after", after).with("limit", limit);
    }

    /** @param value null for none */
    private AdminQuery with(String name, Object value) {
        if (value != null) {
            parameters.put(name, value.toString());
        }
        return this;
    }

    String text() {
        return parameters.entrySet().stream()
                .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    JsonObject json() {
        JsonObjectBuilder object = Json.createObjectBuilder();
        parameters.forEach(object::add);
        return object.build();
    }
}
