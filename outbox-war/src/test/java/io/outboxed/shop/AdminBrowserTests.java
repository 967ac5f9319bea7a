package io.outboxed.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.shop.AdminClient.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a browser can be made to do. */
interface AdminBrowserTests extends AdminFixture {

    @ParameterizedTest
    @CsvSource({
        "Sec-Fetch-Site, cross-site, application/json, 403",
        "Sec-Fetch-Site, same-site, application/json, 403",
        "Origin, https://evil.example, application/json, 403",
        "Origin, null, application/json, 403",
        "Sec-Fetch-Site, same-origin, text/plain, 415",
        "Sec-Fetch-Site, none, application/x-www-form-urlencoded, 415",
        "Sec-Fetch-Site, same-origin, application/json, 400"
    })
    default void a_page_of_another_site_changes_nothing(String header, String value, String mediaType, int expected) {
        Answer answer = as("admin").send("POST", "pauses/everything", "{}", header, value, "Content-Type", mediaType);

        assertThat(answer.status()).as(answer.body()).isEqualTo(expected);
        assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        assertThat(answer.header("Access-Control-Allow-Origin")).isNull();
    }

    @Test
    default void no_answer_becomes_a_page_or_stays_in_a_cache() {
        for (Answer answer : List.of(operator().get("status"), operator().get("nowhere"), as(null).get("status"))) {
            assertThat(answer.header("Content-Type")).startsWith("application/");
            assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(answer.header("Cache-Control")).contains("no-store");
            assertThat(answer.response().headers().allValues("Content-Security-Policy"))
                    .anySatisfy(policy -> assertThat(policy).contains("default-src 'none'"));
        }
    }

    @Test
    default void a_body_that_is_too_long_is_refused() {
        String body = "{\"reason\":\"" + "x".repeat(20_000) + "\"}";

        assertThat(operator().post("pauses", body).status()).isEqualTo(413);
    }
}
