package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.shop.AdminClient.Answer;
import org.junit.jupiter.api.Test;

/** Changes of many dead letters. */
interface AdminBulkTests extends AdminFixture {

    @Test
    default void many_dead_letters_are_previewed_and_discarded() {
        long first = shop().order("poison");
        long second = shop().order("poison");
        String handler = awaitDeadLetter(first).getString("handler");
        awaitDeadLetter(second);
        AdminClient admin = as("admin");

        assertThat(admin.post("dead-letters/preview", "{}").status())
                .as("everything has to be asked for")
                .isEqualTo(400);
        Answer preview = admin.post("dead-letters/preview", "{\"filter\":{\"handler\":\"" + handler + "\"}}");
        int matched = preview.json().getInt("matched");
        assertThat(matched).isGreaterThanOrEqualTo(2);
        assertThat(preview.json().getJsonArray("newest")).isNotEmpty();
        long later = shop().order("poison");
        awaitDeadLetter(later);

        String request =
                "{\"filter\":" + preview.json().getJsonObject("filter") + ",\"atMost\":1,\"reason\":\"sent by hand\"}";
        assertThat(admin.post("dead-letters/discard", request).status()).isEqualTo(428);
        assertThat(admin.post("dead-letters/discard", request, "If-Match", "\"stale\"")
                        .status())
                .isEqualTo(412);
        Answer step = admin.post("dead-letters/discard", request, "If-Match", preview.header("ETag"));
        assertThat(step.status()).as(step.body()).isEqualTo(200);
        assertThat(step.json().getInt("changed")).isEqualTo(1);
        assertThat(step.json().getInt("remaining")).isEqualTo(matched - 1);
        while (step.json().getInt("remaining") > 0) {
            step = admin.post("dead-letters/discard", request, "If-Match", step.header("ETag"));
            assertThat(step.status()).as(step.body()).isEqualTo(200);
        }
        assertThat(deadLetter(first)).isNull();
        assertThat(deadLetter(later)).as("died after the preview").isNotNull();
    }

    @Test
    default void the_nodes_discard_many_dead_letters_in_the_background() {
        long order = shop().order("poison");
        String handler = awaitDeadLetter(order).getString("handler");
        AdminClient admin = as("admin");

        Answer preview = admin.post("dead-letters/preview", "{\"filter\":{\"handler\":\"" + handler + "\"}}");
        String request = "{\"filter\":" + preview.json().getJsonObject("filter")
                + ",\"perSecond\":1000,\"reason\":\"sent by hand\"}";
        assertThat(admin.post("operations/discard", request).status()).isEqualTo(428);
        assertThat(admin.post("operations/discard", request, "If-Match", "\"stale\"")
                        .status())
                .isEqualTo(412);
        String tooFast = request.replace("1000", "1001");
        assertThat(admin.post("operations/discard", tooFast, "If-Match", preview.header("ETag"))
                        .status())
                .isEqualTo(400);
        Answer started = admin.post("operations/discard", request, "If-Match", preview.header("ETag"));
        assertThat(started.status()).as(started.body()).isEqualTo(200);
        assertThat(started.json().getJsonObject("filter"))
                .isEqualTo(preview.json().getJsonObject("filter"));
        String id = started.json().getString("id");
        Await.until(
                "the operation is complete",
                60,
                () -> operator().get("operations/" + id).body().contains("\"state\":\"COMPLETE\""));
        assertThat(deadLetter(order)).isNull();
        assertThat(operator().get("operations").body()).contains(id, "sent by hand");
        assertThat(operator()
                        .post("operations/" + id + "/cancel", "{\"reason\":\"too late\"}")
                        .status())
                .isEqualTo(409);
    }
}
