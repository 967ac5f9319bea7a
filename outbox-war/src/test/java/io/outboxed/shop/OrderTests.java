package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.shop.Shop.Answer;
import jakarta.json.JsonObject;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What the shop promises about orders, whatever the database. */
interface OrderTests {

    Shop shop();

    @Test
    default void a_placed_order_is_answered_with_its_location_and_content() {
        Answer answer = shop().post("shop/orders", Shop.order("ada", "tea", 2));

        assertThat(answer.status()).isEqualTo(201);
        JsonObject order = answer.json();
        assertThat(order.getString("customer")).isEqualTo("ada");
        assertThat(order.getString("item")).isEqualTo("tea");
        assertThat(order.getInt("quantity")).isEqualTo(2);
        assertThat(order.getString("status")).isEqualTo("PLACED");
        assertThat(answer.location())
                .hasValueSatisfying(
                        address -> assertThat(address).endsWith("/outbox/shop/orders/" + order.getInt("id")));
    }

    @Test
    default void an_order_is_shipped_once_and_confirmed_by_mail() {
        long order = shop().order("tea");

        Await.until("shipped", () -> shop().status(order).equals("SHIPPED"));
        Await.until("confirmed", () -> !shop().mails(order).isEmpty());
        assertThat(shop().parcels(order)).containsExactly("OUT");
        assertThat(shop().mails(order)).containsExactly("We have your order");
    }

    @Test
    default void cancelling_a_shipped_order_brings_the_parcel_back_after_it_went_out() {
        long order = shop().order("tea");
        Await.until("shipped", () -> shop().status(order).equals("SHIPPED"));

        Answer cancelled = shop().post("shop/orders/" + order + "/cancel", "");

        assertThat(cancelled.status()).isEqualTo(200);
        assertThat(cancelled.json().getString("status")).isEqualTo("CANCELLED");
        Await.until("parcel back", () -> shop().parcels(order).equals(List.of("OUT", "BACK")));
        Await.until(
                "both mails in order",
                () -> shop().mails(order).equals(List.of("We have your order", "Your order is cancelled")));
    }

    @Test
    default void an_order_cancelled_at_once_never_ends_as_shipped() {
        List<Long> orders = IntStream.range(0, 20)
                .mapToObj(n -> {
                    long order = shop().order("tea");
                    assertThat(shop().post("shop/orders/" + order + "/cancel", "")
                                    .status())
                            .isEqualTo(200);
                    return order;
                })
                .toList();

        shop().awaitQuiet(60);
        for (long order : orders) {
            assertThat(shop().mails(order)).hasSize(2);
            assertThat(shop().status(order)).isEqualTo("CANCELLED");
            assertThat(shop().parcels(order)).as("as many back as out").isIn(List.of(), List.of("OUT", "BACK"));
        }
    }

    @Test
    default void cancelling_twice_is_one_event() {
        long order = shop().order("tea");
        shop().post("shop/orders/" + order + "/cancel", "");

        assertThat(shop().post("shop/orders/" + order + "/cancel", "").status()).isEqualTo(200);

        shop().awaitQuiet(30);
        assertThat(shop().mails(order)).containsExactly("We have your order", "Your order is cancelled");
    }

    @Test
    default void a_sold_out_item_is_neither_ordered_nor_stored_nor_delivered() {
        shop().awaitQuiet(60);
        int orders = shop().count("orders");
        int shipments = shop().count("shipments");
        int mails = shop().count("mails");

        Answer answer = shop().tryToOrder("soldout");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.mediaType()).contains("application/problem+json");
        assertThat(shop().count("outbox")).isZero();
        assertThat(shop().count("orders")).isEqualTo(orders);
        assertThat(shop().count("shipments")).isEqualTo(shipments);
        assertThat(shop().count("mails")).isEqualTo(mails);
    }

    @Test
    default void a_poisoned_order_ships_and_its_mail_ends_as_a_dead_letter() {
        long order = shop().order("poison");

        Await.until("a dead letter", 30, () -> !shop().deadLetters(order).isEmpty());
        assertThat(shop().status(order)).isEqualTo("SHIPPED");
        assertThat(shop().parcels(order)).containsExactly("OUT");
        assertThat(shop().mails(order)).isEmpty();
        assertThat(shop().deadLetters(order)).singleElement().satisfies(dead -> {
            assertThat(dead.getString("handler")).isEqualTo("Mailer.confirm");
            assertThat(dead.getString("type")).isEqualTo("order.placed");
            assertThat(dead.getInt("attempts")).isEqualTo(5);
            assertThat(dead.getString("error")).contains("the mail server refused mails about \"poison\"");
            assertThat(dead.getString("time")).endsWith("Z");
            assertThat(dead.getString("id")).hasSize(36);
        });
    }

    @Test
    default void a_flaky_mail_goes_out_on_the_third_try() {
        long order = shop().order("flaky");

        Await.until("confirmed", () -> !shop().mails(order).isEmpty());
        assertThat(shop().get("shop/mails?order=" + order)
                        .list()
                        .getJsonObject(0)
                        .getInt("attempt"))
                .isEqualTo(3);
        assertThat(shop().parcels(order)).containsExactly("OUT");
    }

    @Test
    default void a_hundred_orders_at_once_are_each_shipped_once() {
        List<Long> orders = IntStream.range(0, 100)
                .parallel()
                .mapToObj(n -> shop().order("tea"))
                .toList();

        shop().awaitQuiet(60);
        LongStream shipped =
                orders.stream().mapToLong(order -> shop().parcels(order).size());
        assertThat(shipped).containsOnly(1L);
        assertThat(orders).allSatisfy(order -> assertThat(shop().mails(order)).hasSize(1));
    }

    @Test
    default void orders_are_listed_newest_first_page_by_page() {
        long older = shop().order("tea");
        long newer = shop().order("tea");

        JsonObject first = shop().get("shop/orders?limit=1").list().getJsonObject(0);
        JsonObject next =
                shop().get("shop/orders?limit=1&before=" + newer).list().getJsonObject(0);

        assertThat(first.getInt("id")).isEqualTo((int) newer);
        assertThat(next.getInt("id")).isEqualTo((int) older);
    }
}
