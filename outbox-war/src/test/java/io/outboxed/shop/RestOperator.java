package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.DeadLetter;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.AuditEntry;
import io.outboxed.admin.BulkRequest.Kind;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.FailureGroup;
import io.outboxed.admin.PauseTarget;
import io.outboxed.admin.RegisteredHandler;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.operator.Operator;
import io.outboxed.operator.OperatorJson;
import io.outboxed.operator.Outcome;
import io.outboxed.shop.AdminClient.Answer;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonString;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The admin API. */
record RestOperator(AdminClient client, String who) implements Operator {
    private static final String PROBLEM = "urn:outboxed:problem:";

    @Override
    public String via() {
        return "rest";
    }

    // ---- reading ----

    private JsonObject read(String path) {
        return readable(client.get(path)).json();
    }

    private static Answer readable(Answer answer) {
        if (outcome(answer).equals(Optional.of(Outcome.WRONG))) {
            throw new IllegalArgumentException(answer.body());
        }
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer;
    }

    private Optional<JsonObject> find(String path) {
        Answer answer = client.get(path);
        return outcome(answer).equals(Optional.of(Outcome.NOTHING_TO_CHANGE))
                ? Optional.empty()
                : Optional.of(readable(answer).json());
    }

    @Override
    public Status status() {
        JsonObject status = read("status");
        return new Status(
                Stream.of("ready", "parked", "waiting", "blocked", "dead")
                        .collect(Collectors.toMap(Function.identity(), state -> (long) status.getInt(state))),
                status.getInt("blockedAggregates"),
                status.getJsonArray("atLeast").getValuesAs(JsonString::getString),
                read("pauses").getJsonArray("pauses").getValuesAs(RestOperator::paused));
    }

    private static Paused paused(JsonObject pause) {
        JsonObject target = pause.getJsonObject("target");
        PauseTarget.Kind kind = PauseTarget.Kind.valueOf(target.getString("kind"));
        return new Paused(
                new PauseTarget(kind, target.getString("name")), pause.getString("who"), pause.getString("why"));
    }

    @Override
    public List<RegisteredHandler> handlers() {
        return OperatorJson.handlers(read("handlers"));
    }

    @Override
    public List<FailureGroup> failures(DeadLetterFilter filter) {
        return OperatorJson.failures(
                read("dead-letters/failures?" + AdminQuery.of(filter).text()));
    }

    @Override
    public Page<DeadLetter> deadLetters(DeadLetterFilter filter, String after, int limit) {
        String query = AdminQuery.of(filter).page(after, limit).text();
        return OperatorJson.page(read("dead-letters?" + query), "letters", OperatorJson::deadLetter);
    }

    @Override
    public Preview preview(DeadLetterFilter filter) {
        JsonObject found = readable(previewed(Kind.REPLAY, filter)).json();
        return new Preview(found.getInt("matched"), found.getInt("inPlace"));
    }

    /** @param filter null for none */
    private Answer previewed(Kind kind, DeadLetterFilter filter) {
        JsonObjectBuilder body = Json.createObjectBuilder();
        if (kind == Kind.RETRY) {
            body.add("kind", "retry");
        }
        if (filter != null) {
            body.add("filter", AdminQuery.of(filter).json()).add("all", selectsAll(filter));
        }
        return client.post("operations/preview", body.build().toString());
    }

    private static boolean selectsAll(DeadLetterFilter filter) {
        return filter.diedUntil(null).equals(DeadLetterFilter.all());
    }

    @Override
    public Page<Waiting> waiting(WaitingFilter filter, String after, int limit) {
        String query = AdminQuery.of(filter).page(after, limit).text();
        return OperatorJson.page(
                read("messages?" + query),
                "items",
                item -> new Waiting(
                        OperatorJson.id(item, "messageId"),
                        item.getString("type"),
                        item.getString("aggregateType"),
                        item.getString("aggregateId"),
                        item.getString("handler", null),
                        item.getInt("attempts"),
                        Instant.parse(item.getString("dueAt")),
                        item.getString("error", null)));
    }

    @Override
    public Optional<Event> event(String id) {
        return find("messages/" + id).map(OperatorJson::event);
    }

    @Override
    public Page<AuditEntry> audit(String after, int limit) {
        String query = new AdminQuery().page(after, limit).text();
        return OperatorJson.page(read("audit?" + query), "entries", entry -> {
            JsonObject by = entry.getJsonObject("attribution");
            return OperatorJson.auditEntry(
                    entry, new Attribution(by.getString("who"), by.getString("via"), by.getString("why")));
        });
    }

    @Override
    public Optional<Progress> operation(String id) {
        return find("operations/" + id).map(RestOperator::progress);
    }

    @Override
    public List<Listed> operations() {
        return read("operations")
                .getJsonArray("operations")
                .getValuesAs((JsonObject each) -> new Listed(UUID.fromString(each.getString("id")), progress(each)));
    }

    private static Progress progress(JsonObject operation) {
        return new Progress(
                operation.getString("state").toLowerCase(Locale.ROOT),
                operation.getInt("matched"),
                operation.getInt("changed"));
    }

    // ---- changing ----

    @Override
    public Outcome retry(String id, String handler, String reason) {
        return change("messages/" + id + "/retry", because(reason).add("handler", handler));
    }

    @Override
    public Optional<HeldUp> retryHeldUp(String id, String handler, String reason) {
        JsonObjectBuilder body = because(reason).add("handler", handler);
        return OperatorJson.heldUp(
                readable(client.post("messages/" + id + "/retry", body.build().toString()))
                        .json());
    }

    @Override
    public Outcome replay(String id, String handler, boolean allowReordering, String reason) {
        return change(
                "messages/" + id + "/replay",
                because(reason).add("handler", handler).add("allowReordering", allowReordering));
    }

    @Override
    public Outcome discard(String id, String handler, String reason) {
        return change("messages/" + id + "/discard", because(reason).add("handler", handler));
    }

    /** With the filter and the version of a preview. */
    @Override
    public Outcome start(Bulk bulk) {
        Answer preview = previewed(bulk.kind(), bulk.filter());
        return outcome(preview).orElseGet(() -> {
            JsonObjectBuilder body = because(bulk.reason())
                    .add("filter", preview.json().getJsonObject("filter"))
                    .add("all", selectsAll(bulk.filter()))
                    .add("perSecond", bulk.perSecond());
            if (bulk.allowReordering()) {
                body.add("allowReordering", true);
            }
            Answer answer = client.post(
                    "operations/" + bulk.kind().name().toLowerCase(Locale.ROOT),
                    body.build().toString(),
                    "If-Match",
                    preview.header("ETag"));
            return outcome(answer)
                    .orElseGet(() -> new Outcome.Started(
                            OperatorJson.id(answer.json(), "id"), answer.json().getInt("matched")));
        });
    }

    @Override
    public Outcome cancel(String id, String reason) {
        Answer answer = client.post(
                "operations/" + id + "/cancel", because(reason).build().toString());
        return outcome(answer).orElse(Outcome.DONE);
    }

    @Override
    public Outcome preview(Drop drop) {
        Answer answer = previewed(drop);
        return outcome(answer)
                .orElseGet(() -> new Outcome.WouldChange(answer.json().getInt("waiting")));
    }

    private Answer previewed(Drop drop) {
        return client.post(
                "handlers/drop-deliveries/preview", dropping(drop).build().toString());
    }

    private static JsonObjectBuilder dropping(Drop drop) {
        JsonObjectBuilder body =
                Json.createObjectBuilder().add("handler", drop.handler()).add("retire", drop.retire());
        return drop.type() == null ? body : body.add("type", drop.type());
    }

    /** With the version of a preview. */
    @Override
    public Outcome drop(Drop drop) {
        Answer preview = previewed(drop);
        return outcome(preview).orElseGet(() -> {
            JsonObjectBuilder body = dropping(drop).add("limit", drop.atMost()).add("reason", drop.reason());
            Answer answer = client.post(
                    "handlers/drop-deliveries", body.build().toString(), "If-Match", preview.header("ETag"));
            return outcome(answer)
                    .orElseGet(() -> new Outcome.Changed(answer.json().getInt("dropped")));
        });
    }

    @Override
    public Outcome pause(PauseTarget.Kind kind, String name, String reason) {
        return kind == PauseTarget.Kind.ALL
                ? change("pauses/everything", because(reason))
                : change("pauses", naming(kind, name, reason));
    }

    @Override
    public Outcome resume(PauseTarget.Kind kind, String name, String reason) {
        return change("pauses/resume", naming(kind, name, reason));
    }

    private static JsonObjectBuilder naming(PauseTarget.Kind kind, String name, String reason) {
        JsonObjectBuilder body = because(reason).add("kind", kind.name().toLowerCase(Locale.ROOT));
        return kind == PauseTarget.Kind.ALL ? body : body.add("name", name);
    }

    private static JsonObjectBuilder because(String reason) {
        return Json.createObjectBuilder().add("reason", reason);
    }

    private Outcome change(String path, JsonObjectBuilder body) {
        Answer answer = client.post(path, body.build().toString());
        return outcome(answer).orElseGet(() -> new Outcome.Changed(answer.json().getInt("changed")));
    }

    /** Empty for success. */
    private static Optional<Outcome> outcome(Answer answer) {
        if (answer.status() == 200) {
            return Optional.empty();
        }
        String type = answer.json().getString("type");
        return Optional.of(
                switch (type.substring(PROBLEM.length())) {
                    case "invalid", "not-found" -> Outcome.WRONG;
                    case "nothing-to-change", "unknown-message", "unknown-operation" -> Outcome.NOTHING_TO_CHANGE;
                    case "would-reorder" -> Outcome.WOULD_REORDER;
                    case "operation-running" -> Outcome.OPERATION_RUNNING;
                    case "handler-in-use" -> Outcome.HANDLER_IN_USE;
                    default -> throw new AssertionError(answer.status() + ": " + answer.body());
                });
    }
}
