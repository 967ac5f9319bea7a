package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.shop.AdminClient.Answer;
import jakarta.json.JsonObject;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What waits for an attempt: {@link Courier} fails at first, and would be called again after an hour. */
interface AdminWaitingTests extends AdminFixture {
    String WAITING = "messages?state=waiting&handler=Courier.collect";
    String REQUEST = "{\"handler\":\"Courier.collect\",\"reason\":\"they are at home\"}";

    @Test
    default void a_delivery_that_waits_is_made_at_once_on_request() {
        long order = cancelled();
        JsonObject item = awaitDelivery(order);
        String address = "messages/" + item.getString("messageId");
        assertThat(item.getString("error")).contains("nobody was at home");
        assertThat(item.getInt("attempts")).isOne();
        Answer seen = operator().get(address);

        assertThat(operator()
                        .post(address + "/retry", REQUEST, "If-Match", "\"stale\"")
                        .status())
                .isEqualTo(412);
        assertThat(operator()
                        .post(address + "/retry", REQUEST.replace("collect", "deliver"))
                        .status())
                .as("another handler")
                .isEqualTo(409);
        assertThat(delivery(order)).isNotNull();
        Answer retried = operator().post(address + "/retry", REQUEST, "If-Match", seen.header("ETag"));
        assertThat(retried.status()).as(retried.body()).isEqualTo(200);
        Await.until("the second attempt", 20, () -> operator().get(address).status() == 404);
        assertThat(operator().get("audit?limit=200").body())
                .contains("they are at home", "retry", item.getString("messageId"));
    }

    @Test
    default void what_waits_is_found_by_the_time_at_which_it_was_stored() {
        JsonObject item = awaitDelivery(cancelled());
        String id = item.getString("messageId");

        Instant createdAt = Instant.parse(item.getString("createdAt"));

        assertThat(waiting("&since=" + createdAt)).contains(id);
        assertThat(waiting("&until=" + createdAt)).doesNotContain(id);
        assertThat(waiting("&until=" + createdAt.plusMillis(1))).contains(id);
        assertThat(operator().post("messages/" + id + "/retry", REQUEST).status())
                .isEqualTo(200);
        Await.until(
                "the second attempt", 20, () -> operator().get("messages/" + id).status() == 404);
    }

    private String waiting(String filter) {
        Answer answer = operator().get(WAITING + filter);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private long cancelled() {
        long order = shop().order("tea");
        assertThat(shop().post("shop/orders/" + order + "/cancel", "").status()).isEqualTo(200);
        return order;
    }

    private JsonObject awaitDelivery(long order) {
        Await.until("the first attempt for order " + order, 30, () -> delivery(order) != null);
        return delivery(order);
    }

    /** @return null if none waits */
    private JsonObject delivery(long order) {
        List<JsonObject> items = operator()
                .get(WAITING + "&error=order%20" + order)
                .json()
                .getJsonArray("items")
                .getValuesAs(JsonObject.class);
        return items.isEmpty() ? null : items.get(0);
    }
}
