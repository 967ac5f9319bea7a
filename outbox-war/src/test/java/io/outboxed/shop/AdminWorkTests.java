package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.shop.AdminClient.Answer;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An operator's work. */
interface AdminWorkTests extends AdminFixture {

    @Test
    default void a_dead_letter_is_found_and_replayed() {
        long order = shop().order("poison");
        JsonObject dead = awaitDeadLetter(order);
        String id = dead.getString("messageId");
        String handler = dead.getString("handler");

        assertThat(operator().get("dead-letters/failures?handler=" + handler).body())
                .contains("\"handler\":\"" + handler + "\"");
        Answer seen = operator().get("messages/" + id);
        assertThat(seen.json().getJsonArray("deadLetters")).hasSize(1);
        assertThat(operator().get("messages/" + id + "/content").status()).isEqualTo(403);
        assertThat(as("editor").get("messages/" + id + "/content").body()).contains("poison");
        assertThat(seen.body()).doesNotContain("customer");

        String request = "{\"handler\":\"" + handler + "\",\"reason\":\"the caf\u00e9 gets mail again\"";
        Answer refused = operator().post("messages/" + id + "/replay", request + "}");
        assertThat(refused.status()).as(refused.body()).isEqualTo(409);
        assertThat(refused.json().getString("type")).isEqualTo("urn:outboxed:problem:would-reorder");
        request += ",\"allowReordering\":true}";
        assertThat(operator()
                        .post("messages/" + id + "/replay", request, "If-Match", "\"stale\"")
                        .status())
                .isEqualTo(412);
        Answer replayed = operator().post("messages/" + id + "/replay", request, "If-Match", seen.header("ETag"));
        assertThat(replayed.status()).as(replayed.body()).isEqualTo(200);
        assertThat(as("admin").post("messages/" + id + "/replay", request).status())
                .as("a second operator is told")
                .isEqualTo(409);
        awaitDeadLetter(order);
        assertThat(operator().get("audit").body())
                .contains("the caf\u00e9 gets mail again")
                .contains(id);
    }

    @Test
    default void the_rest_is_readable() {
        assertThat(operator().get("status").json().getJsonArray("nodes")).isNotEmpty();
        assertThat(operator().get("shards").json().getJsonArray("shards")).hasSize(64);
        assertThat(operator().get("handlers").body()).contains("Mailer.confirm", "Warehouse.ship");
        assertThat(operator().get("aggregate?type=order&id=4711").status()).isEqualTo(200);
        for (String state : Set.of("ready", "parked", "waiting", "blocked")) {
            assertThat(operator().get("messages?state=" + state).status())
                    .as(state)
                    .isEqualTo(200);
        }
    }

    @Test
    default void an_editor_replays_a_dead_letter_with_another_payload() {
        long order = shop().order("poison");
        JsonObject letter = awaitDeadLetter(order);
        String id = letter.getString("messageId");
        AdminClient editor = as("editor");
        String payload = editor.get("messages/" + id + "/content").json().getString("text");
        String request = "{\"handler\":\"" + letter.getString("handler") + "\",\"allowReordering\":true,"
                + "\"reason\":\"wrong item\",\"payload\":";

        Answer refused = editor.post("messages/" + id + "/edit", request + "\"{\"}");
        assertThat(refused.status()).as(refused.body()).isEqualTo(400);
        assertThat(editor.post("messages/" + id + "/edit", request.replace("true", "false") + "\"{}\"}")
                        .status())
                .isEqualTo(409);
        String large = payload.replace("poison", "book").replace("ada", "a".repeat(40_000));
        assertThat(large).hasSizeGreaterThan(40_000);
        Answer edited = editor.post("messages/" + id + "/edit", request + Json.createValue(large) + "}");
        assertThat(edited.status()).as(edited.body()).isEqualTo(200);
        assertThat(edited.json().getString("event")).isNotEqualTo(id);
        assertThat(deadLetter(order)).isNull();
        assertThat(operator().get("audit").body())
                .contains("wrong item", edited.json().getString("event"));
    }
}
