package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.shop.AdminClient.Answer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Changes of many dead letters. */
interface AdminBulkTests extends AdminFixture {

    @Test
    default void the_nodes_discard_many_dead_letters_of_a_preview_in_the_background() {
        endOperations();
        long first = shop().order("poison");
        long second = shop().order("poison");
        String handler = awaitDeadLetter(first).getString("handler");
        awaitDeadLetter(second);
        AdminClient admin = as("admin");

        assertThat(admin.post("operations/preview", "{}").status())
                .as("everything has to be asked for")
                .isEqualTo(400);
        Answer preview = admin.post("operations/preview", "{\"filter\":{\"handler\":\"" + handler + "\"}}");
        int matched = preview.json().getInt("matched");
        assertThat(matched).isGreaterThanOrEqualTo(2);
        assertThat(preview.json().getJsonArray("newest")).isNotEmpty();
        long later = shop().order("poison");
        awaitDeadLetter(later);

        String request = request(preview, 1000);
        assertThat(admin.post("operations/discard", request).status()).isEqualTo(428);
        assertThat(admin.post("operations/discard", request, "If-Match", "*").status())
                .as("it names no preview")
                .isEqualTo(428);
        assertThat(admin.post("operations/discard", request, "If-Match", "\"stale\"")
                        .status())
                .isEqualTo(412);
        assertThat(admin.post("operations/discard", request(preview, 1001), "If-Match", preview.header("ETag"))
                        .status())
                .isEqualTo(400);
        Answer started = admin.post("operations/discard", request, "If-Match", preview.header("ETag"));
        assertThat(started.status()).as(started.body()).isEqualTo(200);
        assertThat(started.json().getInt("matched")).isEqualTo(matched);
        assertThat(started.json().getJsonObject("filter"))
                .isEqualTo(preview.json().getJsonObject("filter"));

        String id = started.json().getString("id");
        awaitComplete(id);
        assertThat(operator().get("operations/" + id).json().getInt("changed")).isEqualTo(matched);
        assertThat(deadLetter(first)).isNull();
        assertThat(deadLetter(second)).isNull();
        assertThat(deadLetter(later)).as("died after the preview").isNotNull();
        assertThat(operator().get("operations").body()).contains(id, "sent by hand");
        assertThat(operator()
                        .post("operations/" + id + "/cancel", "{\"reason\":\"too late\"}")
                        .status())
                .isEqualTo(409);
    }

    @Test
    default void a_preview_is_outdated_when_somebody_has_changed_one_of_its_dead_letters() {
        endOperations();
        long order = shop().order("poison");
        String message = awaitDeadLetter(order).getString("messageId");
        AdminClient admin = as("admin");
        Answer preview = admin.post("operations/preview", "{\"filter\":{\"messageId\":\"" + message + "\"}}");
        String handler = deadLetter(order).getString("handler");
        assertThat(operator()
                        .post(
                                "messages/" + message + "/discard",
                                "{\"handler\":\"" + handler + "\",\"reason\":\"sent by hand\"}")
                        .status())
                .isEqualTo(200);
        assertThat(admin.post("operations/discard", request(preview, 1), "If-Match", preview.header("ETag"))
                        .status())
                .isEqualTo(412);
    }

    @Test
    default void a_replay_of_many_that_is_cancelled_changes_nothing_more() {
        endOperations();
        // at one a second, enough for the time that the requests take
        IntStream.range(0, 15)
                .parallel()
                .mapToObj(i -> shop().order("poison"))
                .toList()
                .forEach(this::awaitDeadLetter);
        Answer preview = operator().post("operations/preview", "{\"all\":true}");
        int matched = preview.json().getInt("matched");
        assertThat(matched).isGreaterThanOrEqualTo(15);
        String request =
                request(preview, 1).replace("{\"filter\"", "{\"all\":true,\"allowReordering\":true,\"filter\"");
        assertThat(operator().post("operations/replay", request).status()).isEqualTo(428);
        assertThat(operator()
                        .post("operations/replay", request, "If-Match", "\"stale\"")
                        .status())
                .isEqualTo(412);
        Answer started = operator().post("operations/replay", request, "If-Match", preview.header("ETag"));
        assertThat(started.status()).as(started.body()).isEqualTo(200);

        Answer repeated = operator().post("operations/replay", request, "If-Match", preview.header("ETag"));
        assertThat(repeated.status()).isEqualTo(409);
        assertThat(repeated.body()).contains(started.json().getString("id"), "operation-running");
        String address = "operations/" + started.json().getString("id");
        Answer cancelled = operator().post(address + "/cancel", "{\"reason\":\"it was the wrong mail server\"}");
        assertThat(cancelled.status()).as(cancelled.body()).isEqualTo(200);
        assertThat(cancelled.json().getString("state")).isEqualTo("CANCELLED");
        int changed = cancelled.json().getInt("changed");
        assertThat(changed).isLessThan(matched);
        assertThat(operator().get("audit?limit=200").body()).contains("it was the wrong mail server");
        long later = shop().order("poison");
        awaitDeadLetter(later);
        assertThat(operator().get(address).json().getInt("changed"))
                .as("changed, after other work of the node")
                .isEqualTo(changed);
    }

    @Test
    default void a_retry_of_many_needs_its_own_preview_and_a_period_that_has_begun() {
        endOperations();
        String nobody = "\"filter\":{\"handler\":\"Nobody\"}";
        Answer ofReplay = operator().post("operations/preview", "{" + nobody + "}");
        Answer preview = operator().post("operations/preview", "{\"kind\":\"retry\"," + nobody + "}");
        assertThat(preview.status()).as(preview.body()).isEqualTo(200);
        assertThat(preview.json().getJsonArray("oldest")).isEmpty();
        assertThat(operator()
                        .post("operations/preview", "{\"kind\":\"undo\"," + nobody + "}")
                        .status())
                .isEqualTo(400);

        String request = request(preview, 1);
        assertThat(operator().post("operations/retry", request).status()).isEqualTo(428);
        assertThat(operator()
                        .post("operations/retry", request(ofReplay, 1), "If-Match", ofReplay.header("ETag"))
                        .status())
                .as("the preview of a replay")
                .isEqualTo(412);
        Answer started = operator().post("operations/retry", request, "If-Match", preview.header("ETag"));
        assertThat(started.status()).as(started.body()).isEqualTo(200);
        assertThat(started.json().getString("kind")).isEqualTo("RETRY");

        Answer later = operator()
                .post(
                        "operations/preview",
                        "{\"kind\":\"retry\",\"filter\":{\"type\":\"nothing\",\"since\":\"2100-01-01T00:00:00Z\"}}");
        assertThat(later.json().getInt("matched")).isZero();
        Answer refused = operator().post("operations/retry", request(later, 1), "If-Match", later.header("ETag"));
        assertThat(refused.status()).as(refused.body()).isEqualTo(400);
        assertThat(refused.body()).contains("since");
    }

    @Test
    default void the_filter_of_a_preview_that_finds_nothing_starts_an_operation() {
        endOperations();
        AdminClient admin = as("admin");
        Answer preview = admin.post("operations/preview", "{\"filter\":{\"handler\":\"Nobody\"}}");
        Answer started =
                admin.post("operations/discard", request(preview, 1), "If-Match", "W/" + preview.header("ETag"));
        assertThat(started.status()).as(started.body()).isEqualTo(200);
        assertThat(started.json().getInt("matched")).isZero();
        awaitComplete(started.json().getString("id"));
    }

    private static String request(Answer preview, int perSecond) {
        return "{\"filter\":" + preview.json().getJsonObject("filter") + ",\"perSecond\":" + perSecond
                + ",\"reason\":\"sent by hand\"}";
    }

    private void awaitComplete(String id) {
        Await.until(
                "the operation is complete",
                60,
                () -> operator().get("operations/" + id).body().contains("\"state\":\"COMPLETE\""));
    }
}
