package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.outboxed.rest.access.AdminOperation;
import io.outboxed.shop.Shop.Answer;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is sent, the answer says what is wrong with it, and nothing is ordered. */
interface HostileInputTests {

    Shop shop();

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            {}                                                                       | customer item quantity
            {"customer":"ada","item":"tea"}                                          | quantity
            {"customer":null,"item":"tea","quantity":1}                              | customer
            {"customer":"ada","item":"","quantity":1}                                | item
            {"customer":" \\t ","item":"tea","quantity":1}                           | customer
            {"customer":["ada"],"item":{"a":1},"quantity":true}                      | customer item quantity
            {"customer":"ada","item":"tea","quantity":0}                             | quantity
            {"customer":"ada","item":"tea","quantity":-1}                            | quantity
            {"customer":"ada","item":"tea","quantity":2.5}                           | quantity
            {"customer":"ada","item":"tea","quantity":"2"}                           | quantity
            {"customer":"ada","item":"tea","quantity":1001}                          | quantity
            {"customer":"ada","item":"tea","quantity":4294967297}                    | quantity
            {"customer":"ada","item":"tea","quantity":99999999999999999999999}       | quantity
            {"customer":"ada","item":"tea","quantity":1e999999999}                   | quantity
            {"customer":"ada","item":"tea","quantity":1e-999999999}                  | quantity
            {"customer":"a\\ud800b","item":"tea","quantity":1}                       | customer
            {"customer":"a\\u0000b","item":"tea","quantity":1}                       | customer
            {"customer":"ada","item":"tea","quantity":1,"price":1}                   | price
            {"customer":"ada","customer":"bob","item":"tea","quantity":1}            | customer item quantity
            {"customer":"ada","item":"tea","quantity":1}}                            | customer item quantity
            {"customer":"ada","item":"tea","quantity":1}{}                           | customer item quantity
            {"customer":"ada","item":"tea","quantity":1                              | customer item quantity
            {"customer":"ada","item":"tea","quantity":01}                            | customer item quantity
            {"customer":"ada","item":"tea","quantity":NaN}                           | customer item quantity
            {customer:"ada",item:"tea",quantity:1}                                   | customer item quantity
            null                                                                     | customer item quantity
            [1,2]                                                                    | customer item quantity
            <order/>                                                                 | customer item quantity
            ''                                                                       | customer item quantity
            """)
    default void a_body_that_is_not_an_order_is_refused_by_field(String body, String fields) {
        Answer answer = shop().post("shop/orders", body);

        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.mediaType()).contains("application/problem+json");
        assertThat(answer.wrongFields()).containsExactly(fields.split(" "));
    }

    @Test
    default void names_that_are_too_long_are_refused_with_their_length() {
        Answer answer = shop().post("shop/orders", Shop.order("a".repeat(101), "t".repeat(51), 1));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.wrongFields()).containsExactly("customer", "item");
        assertThat(answer.body()).contains("expected at most 100 characters, got 101");
    }

    @Test
    default void bytes_that_are_not_utf_8_are_refused() {
        byte[] body =
                "{\"customer\":\"J\u00fcrgen\",\"item\":\"tea\",\"quantity\":1}".getBytes(StandardCharsets.ISO_8859_1);

        Answer answer = shop().post("shop/orders", "application/json", BodyPublishers.ofByteArray(body));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("not UTF-8");
    }

    @Test
    default void deep_nesting_is_refused() {
        Answer answer = shop().post("shop/orders", "[".repeat(15_000));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("nested deeper");
    }

    /** WildFly itself refuses more than 10 MiB: it answers 400, or closes the connection during the upload. */
    @Test
    default void a_body_beyond_every_limit_is_refused_by_the_shop_or_by_its_server() {
        byte[] body = " ".repeat(20 << 20).getBytes(StandardCharsets.US_ASCII);
        long orders = shop().count("orders");

        Throwable cutOff = catchThrowable(
                () -> assertThat(shop().post("shop/orders", "application/json", BodyPublishers.ofByteArray(body))
                                .status())
                        .isIn(400, 413));

        assertThat(cutOff)
                .satisfiesAnyOf(
                        none -> assertThat(none).isNull(),
                        closed -> assertThat(closed).isInstanceOf(Shop.NoAnswerException.class));
        assertThat(shop().count("orders")).isEqualTo(orders);
    }

    @ParameterizedTest
    @ValueSource(ints = {16 * 1024 + 1, 1 << 20, 8 << 20})
    default void a_body_that_is_too_long_is_refused_with_and_without_a_content_length(int length) {
        byte[] body = " ".repeat(length).getBytes(StandardCharsets.US_ASCII);

        assertThat(shop().post("shop/orders", "application/json", BodyPublishers.ofByteArray(body))
                        .status())
                .isEqualTo(413);
        assertThat(shop().post(
                                "shop/orders",
                                "application/json",
                                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
                        .status())
                .isEqualTo(413);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "application/xml", "nonsense/?"})
    default void other_media_types_are_refused(String mediaType) {
        Answer answer = shop().post("shop/orders", mediaType, BodyPublishers.ofString(Shop.order("ada", "tea", 1)));

        assertThat(answer.status()).isBetween(400, 415);
        assertThat(answer.mediaType()).contains("application/problem+json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"orders/999999999", "orders/abc", "orders/-1", "orders/99999999999999999999", "nothing"})
    default void an_unknown_path_is_a_problem_404(String path) {
        Answer answer = shop().get("shop/" + path);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.mediaType()).contains("application/problem+json");
    }

    @Test
    default void cancelling_an_unknown_order_is_404() {
        assertThat(shop().post("shop/orders/999999999/cancel", "").status()).isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mails?order=x", "shipments?order=0", "shipments?order=1%20or%201=1", "orders?limit=201"})
    default void parameters_out_of_range_are_refused(String path) {
        Answer answer = shop().get("shop/" + path);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.wrongFields()).hasSize(1);
    }

    @Test
    default void text_of_every_unicode_plane_comes_back_as_it_was_sent() {
        String everyPlane = IntStream.rangeClosed(0, 16)
                .map(plane -> (plane << 16) + 0xA123)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());

        assertThat(customerAfterTheRoundTrip(everyPlane)).isEqualTo(everyPlane);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert(1)</script>",
                "\"><img src=x onerror=alert(1)>",
                "'; drop table shop_order; --",
                "${jndi:ldap://127.0.0.1/x} #{7*7} %s %n",
                "e\u0301 \u202Eevil \uFEFF \u00DF\u0130",
                "\uD83D\uDC69\u200D\uD83D\uDC69\u200D\uD83D\uDC67"
            })
    default void text_that_looks_like_code_is_text(String customer) {
        assertThat(customerAfterTheRoundTrip(customer)).isEqualTo(customer);
    }

    private String customerAfterTheRoundTrip(String customer) {
        Answer placed = shop().post("shop/orders", Shop.order(customer, "tea", 1));
        assertThat(placed.status()).as(placed.body()).isEqualTo(201);
        int id = placed.json().getInt("id");
        Await.until("delivered", () -> shop().status(id).equals("SHIPPED"));
        return shop().get("shop/orders/" + id).json().getString("customer");
    }

    @Test
    default void a_page_of_another_site_may_not_place_orders() {
        var request = shop().request("shop/orders")
                .header("Sec-Fetch-Site", "cross-site")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(Shop.order("ada", "tea", 1)));

        assertThat(shop().send(request).status()).isEqualTo(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "shop/orders", "shop/nothing"})
    default void every_answer_forbids_foreign_script_and_frames(String path) throws Exception {
        var headers = shop().page(path).headers();

        assertThat(headers.firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy)
                        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                        .doesNotContain("unsafe"));
        assertThat(headers.firstValue("X-Content-Type-Options")).contains("nosniff");
    }

    @Test
    default void the_page_has_no_inline_script_or_style() throws Exception {
        String page = shop().page("").body();

        assertThat(page).contains("<script src=", "<link rel=\"stylesheet\"");
        assertThat(page).doesNotContain("<style", " style=", " onclick=", "http://", "https://");
        for (String file : List.of("shop.js", "shop.css")) {
            assertThat(shop().page(file).statusCode()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET,",
        "GET, /",
        "HEAD, /status",
        "OPTIONS, /status",
        "GET, /messages?state=ready",
        "GET, /application.wadl",
        "DELETE, /pauses"
    })
    default void without_configuration_there_is_no_admin_api(String method, String path) {
        isNotFound(method, path == null ? "" : path);
    }

    @ParameterizedTest
    @EnumSource
    default void without_configuration_there_is_no_operation(AdminOperation operation) {
        isNotFound(operation.method(), "/" + operation.path().replace("{id}", "0199aa10-7c00-7000-8000-000000000001"));
    }

    private void isNotFound(String method, String path) {
        Answer answer = shop().send(shop().request("outbox/admin/v1" + path)
                .header("Content-Type", "application/json")
                .header("Authorization", "Basic ZGVtbzpkZW1v")
                .method(method, method.equals("POST") ? BodyPublishers.ofString("{}") : BodyPublishers.noBody()));

        assertThat(answer.status()).as(answer.body()).isEqualTo(404);
        assertThat(answer.body()).doesNotContain("urn:outboxed");
    }

    /** A server may refuse such an address itself. */
    @ParameterizedTest
    @ValueSource(strings = {"[", "status?x=%zz", "status?x=[", "nowhere?[=1"})
    default void without_configuration_an_address_that_is_not_a_legal_uri_opens_no_admin_api(String path) {
        var root = shop().request("outbox/admin/v1/").build().uri();

        assertThat(RawRequest.get(root, path, null)).isIn(404, 400);
    }

    @Test
    default void an_order_whose_length_fits_into_no_int_is_too_long() {
        var address = shop().request("shop/orders").build().uri();

        assertThat(AnnouncedBody.post(address, "2147483648", null)).isEqualTo(AnnouncedBody.refusal(413));
    }

    @ParameterizedTest
    @ValueSource(strings = {"operations/replay", "status", "nowhere"})
    default void without_configuration_a_length_that_fits_into_no_int_opens_no_admin_api(String path) {
        var address = shop().request("outbox/admin/v1/" + path).build().uri();

        assertThat(AnnouncedBody.post(address, "2147483648", null)).isEqualTo(AnnouncedBody.refusal(404));
        assertThat(AnnouncedBody.post(address, "" + Long.MAX_VALUE, null)).isEqualTo(AnnouncedBody.refusal(404));
    }
}
