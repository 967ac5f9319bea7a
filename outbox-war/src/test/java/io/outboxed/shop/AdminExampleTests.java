package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.rest.access.AdminOperation;
import io.outboxed.shop.AdminClient.Answer;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each call of curl that the page shows, sent in its order: it does what the page says. */
interface AdminExampleTests extends AdminFixture {
    String MAILER = "Mailer.confirm";
    String COURIER = "Courier.collect";
    String CELLAR = "Cellar.store";

    @Test
    default void each_example_of_the_page_is_answered_as_the_page_says() throws IOException {
        Set<AdminOperation> shown = EnumSet.noneOf(AdminOperation.class);
        try {
            for (CurlExample example : CurlExample.ofThePage()) {
                if (example.isOfTheDemo()) {
                    AdminOperation operation = operation(example);
                    CurlExample prepared = prepared(operation, example);
                    Answer answer = prepared.sendAs(as(operation.role().name().toLowerCase(Locale.ROOT)));
                    assertThat(answer.status())
                            .as(prepared + "\n" + answer.body())
                            .isEqualTo(200);
                    assertThat(answer.json().keySet()).as(prepared.toString()).containsAll(documented(operation));
                    shown.add(operation);
                }
            }
        } finally {
            operator().post("pauses/resume", "{\"kind\":\"type\",\"name\":\"order.placed\",\"reason\":\"tested\"}");
        }
        assertThat(shown).isEqualTo(EnumSet.allOf(AdminOperation.class));
    }

    private static AdminOperation operation(CurlExample example) {
        String path = example.path().replaceFirst("\\?.*", "").replace("$id", "{id}");
        return Arrays.stream(AdminOperation.values())
                .filter(each ->
                        each.method().equals(example.method()) && each.path().equals(path))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no operation: " + example));
    }

    /** With an event or operation that can be changed so, and with a handler of the demo. */
    private CurlExample prepared(AdminOperation operation, CurlExample example) {
        CurlExample ofDemo = example.with("order-mail", operation == AdminOperation.RETRY ? COURIER : MAILER);
        return switch (operation) {
            case MESSAGE, CONTENT, REPLAY, DISCARD, EDIT -> ofDemo.with("$id", died());
            case RETRY -> ofDemo.with("$id", waiting());
            case REPLAY_MANY, DISCARD_MANY -> bounded(ofDemo, "replay");
            case RETRY_MANY -> bounded(ofDemo, "retry");
            case PREVIEW_DROP -> ofDemo.with("Warehouse.ship", CELLAR);
            case DROP_DELIVERIES -> ofDemo.with("Warehouse.ship", CELLAR).withHeader("If-Match", seen());
            case OPERATION, CANCEL -> ofDemo.with("$id", started());
            default -> ofDemo;
        };
    }

    private String died() {
        return awaitDeadLetter(shop().order("poison")).getString("messageId");
    }

    private String waiting() {
        long order = shop().order("tea");
        assertThat(shop().post("shop/orders/" + order + "/cancel", "").status()).isEqualTo(200);
        String address = "messages?state=waiting&handler=" + COURIER + "&error=order%20" + order;
        Await.until(
                "the first attempt", 30, () -> operator().get(address).body().contains("messageId"));
        return operator()
                .get(address)
                .json()
                .getJsonArray("items")
                .getJsonObject(0)
                .getString("messageId");
    }

    /** With the bound and the version of a preview of what the example selects. */
    private CurlExample bounded(CurlExample example, String kind) {
        endOperations();
        died();
        JsonObject filter =
                Json.createReader(new StringReader(example.body())).readObject().getJsonObject("filter");
        JsonObject unbounded = Json.createObjectBuilder(filter).remove("until").build();
        Answer preview =
                operator().post("operations/preview", "{\"kind\":\"" + kind + "\",\"filter\":" + unbounded + "}");
        assertThat(preview.status()).as(preview.body()).isEqualTo(200);
        return example.withHeader("If-Match", preview.header("ETag"))
                .with("…", preview.json().getJsonObject("filter").getString("until"));
    }

    /** The version of a preview. */
    private String seen() {
        Answer preview =
                operator().post("handlers/drop-deliveries/preview", "{\"handler\":\"" + CELLAR + "\",\"retire\":true}");
        assertThat(preview.status()).as(preview.body()).isEqualTo(200);
        return preview.header("ETag");
    }

    /** A slow operation, so that it can be cancelled. */
    private String started() {
        endOperations();
        List<String> events = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            events.add(died());
        }
        Answer preview = operator().post("operations/preview", "{\"filter\":{\"handler\":\"" + MAILER + "\"}}");
        Answer started = operator()
                .post(
                        "operations/replay",
                        "{\"filter\":" + preview.json().getJsonObject("filter")
                                + ",\"perSecond\":1,\"allowReordering\":true,\"reason\":\"mail is back\"}",
                        "If-Match",
                        preview.header("ETag"));
        assertThat(started.status()).as(started.body()).isEqualTo(200);
        assertThat(started.json().getInt("matched")).isGreaterThanOrEqualTo(events.size());
        return started.json().getString("id");
    }

    /** What the page says about the answer. */
    private static Set<String> documented(AdminOperation operation) {
        return switch (operation) {
            case STATUS -> Set.of("atLeast", "oldestAge", "nodes", "pauses");
            case SHARDS -> Set.of("shards");
            case HANDLERS -> Set.of("handlers");
            case MESSAGES -> Set.of("items", "next");
            case MESSAGE -> Set.of("messages", "deliveries", "deadLetters");
            case CONTENT -> Set.of("headers", "text");
            case AGGREGATE -> Set.of("aggregateType", "aggregateId", "waits");
            case DEAD_LETTERS -> Set.of("letters", "next");
            case FAILURES -> Set.of("failures");
            case PAUSES -> Set.of("pauses");
            case AUDIT -> Set.of("entries", "next");
            case EDIT -> Set.of("event");
            case OPERATIONS -> Set.of("operations");
            case PREVIEW -> Set.of("matched", "inPlace", "behindNewer", "atLeast", "newest", "oldest", "filter");
            case PREVIEW_DROP -> Set.of("retiring", "retired", "active", "waiting", "atLeast", "oldest");
            case DROP_DELIVERIES -> Set.of("retired", "dropped", "locked", "complete");
            case OPERATION, REPLAY_MANY, DISCARD_MANY, RETRY_MANY, CANCEL ->
                Set.of("id", "matched", "changed", "atLeast", "state");
            default -> Set.of("changed");
        };
    }
}
