package io.outboxed.rest.access;

import static io.outboxed.rest.access.GivenRequest.ID;
import static io.outboxed.rest.access.GivenRequest.OPEN;
import static io.outboxed.rest.access.GivenRequest.decide;
import static io.outboxed.rest.access.GivenRequest.gatekeeper;
import static io.outboxed.rest.access.GivenRequest.problem;
import static io.outboxed.rest.access.GivenRequest.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig.Admin;
import io.outboxed.internal.config.OutboxConfig.Payload;
import io.outboxed.rest.problem.ProblemType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a request of a user who may call the operation must not have: where it comes from, its headers and its query. */
class RefusedRequestsTest {

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            -           | -                        | true
            same-origin | -                        | true
            same-origin | https://proxied.example  | true
            none        | -                        | true
            same-site   | -                        | false
            cross-site  | -                        | false
            cross-site  | https://shop.example     | false
            anything    | -                        | false
            -           | https://shop.example     | true
            -           | http://SHOP.example      | true
            -           | https://shop.example:444 | false
            -           | https://evil.example     | false
            -           | https://shop.example.evil| false
            -           | null                     | false
            """, delimiter = '|')
    void a_page_of_another_site_changes_nothing(String site, String origin, boolean admitted) {
        GivenRequest request = request(AdminOperation.RESUME)
                .as("ada", Role.OPERATOR)
                .header("Host", "shop.example")
                .header("Sec-Fetch-Site", site)
                .header("Origin", origin);

        AccessDecision decision = decide(request);

        if (admitted) {
            assertThat(decision).isInstanceOf(AccessDecision.Granted.class);
        } else {
            assertThat(problem(decision)).isEqualTo(ProblemType.OTHER_SITE);
        }
    }

    /** Otherwise the log would say that this editor has read it. */
    @ParameterizedTest
    @CsvSource({"GET,cross-site,false", "HEAD,same-site,false", "GET,same-origin,true", "GET,none,true"})
    void a_page_of_another_site_has_no_content_read(String method, String site, boolean admitted) {
        GivenRequest content = new GivenRequest(method, "messages/" + ID + "/content")
                .as("ada", Role.EDITOR)
                .header("Sec-Fetch-Site", site);

        AccessDecision decision = decide(content);

        if (admitted) {
            assertThat(decision).isInstanceOf(AccessDecision.Granted.class);
        } else {
            assertThat(problem(decision)).isEqualTo(ProblemType.OTHER_SITE);
        }
        assertThat(decide(new GivenRequest(method, "messages/" + ID)
                        .as("ada", Role.EDITOR)
                        .header("Sec-Fetch-Site", site)))
                .isInstanceOf(AccessDecision.Granted.class);
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            application/json               | true
            Application/JSON;charset=utf-8 | true
            -                              | false
            text/plain                     | false
            application/jsonx              | false
            text/plain;application/json    | false
            application/x-www-form-urlencoded | false
            multipart/form-data            | false
            """, delimiter = '|')
    void what_a_form_can_send_changes_nothing(String contentType, boolean admitted) {
        AccessDecision decision =
                decide(request(AdminOperation.REPLAY).as("ada", Role.OPERATOR).header("Content-Type", contentType));

        if (admitted) {
            assertThat(decision).isInstanceOf(AccessDecision.Granted.class);
        } else {
            assertThat(problem(decision)).isEqualTo(ProblemType.NOT_JSON);
        }
    }

    /** Servers accept lengths that do not fit into an int. */
    @ParameterizedTest
    @CsvSource(nullValues = "-", textBlock = """
            -                     | true
            0                     | true
            16384                 | true
            16385                 | false
            2147483648            | false
            9223372036854775807   | false
            99999999999999999999  | false
            2, 2                  | false
            long                  | false
            """, delimiter = '|')
    void a_body_that_is_announced_as_too_long_is_not_read(String length, boolean admitted) {
        AccessDecision decision =
                decide(request(AdminOperation.REPLAY).as("ada", Role.OPERATOR).header("Content-Length", length));

        if (admitted) {
            assertThat(decision).isInstanceOf(AccessDecision.Granted.class);
        } else {
            assertThat(problem(decision)).isEqualTo(ProblemType.TOO_LARGE);
        }
    }

    /** Six characters for each byte of the payload, and the length of another body. */
    @Test
    void a_payload_that_can_be_published_fits_into_an_edit() {
        AccessPolicy small = new AccessPolicy(OPEN, new Payload(false, 100, true));
        GivenRequest edit = request(AdminOperation.EDIT).as("ada", Role.EDITOR);

        assertThat(small.decide(edit.header("Content-Length", "16984").facts()))
                .isInstanceOf(AccessDecision.Granted.class);
        AccessDecision decision =
                small.decide(edit.header("Content-Length", "16985").facts());
        assertThat(problem(decision)).isEqualTo(ProblemType.TOO_LARGE);
        assertThat(((AccessDecision.Denied) decision).problem().detail()).contains("longer than 16984 bytes");
    }

    /** A list has its own parameters, and checks them. */
    @ParameterizedTest
    @EnumSource
    void the_address_of_a_change_has_no_parameters(AdminOperation operation) {
        AccessDecision decision =
                decide(request(operation).withQuery("handler=mail").as("ada", Role.values()));

        if (operation.method().equals("GET")) {
            assertThat(decision).isInstanceOf(AccessDecision.Granted.class);
        } else {
            assertThat(problem(decision)).isEqualTo(ProblemType.INVALID);
        }
    }

    /** A client that sends it must not believe that it was compared. */
    @ParameterizedTest
    @EnumSource
    void a_change_that_compares_no_version_refuses_one(AdminOperation operation) {
        AccessDecision decision =
                decide(request(operation).header("If-Match", "\"seen\"").as("ada", Role.values()));

        switch (operation) {
            case PREVIEW, CANCEL, PREVIEW_DROP, PAUSE, PAUSE_EVERYTHING ->
                assertThat(problem(decision)).isEqualTo(ProblemType.INVALID);
            default -> assertThat(decision).isInstanceOf(AccessDecision.Granted.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void no_header_is_read_for_somebody_who_is_not_let_in(AdminOperation operation) {
        GivenRequest request = request(operation).withoutReadableHeaders();

        assertThat(gatekeeper(Admin.DEFAULTS).decide(request.facts())).isInstanceOf(AccessDecision.Disabled.class);
        assertThat(problem(decide(request))).isEqualTo(ProblemType.UNAUTHENTICATED);
        assertThat(problem(decide(request.as("ada")))).isEqualTo(ProblemType.FORBIDDEN);
    }

    /** Runtimes parse it only when it is asked for, and fail then. */
    @ParameterizedTest
    @EnumSource
    void no_query_is_read_for_somebody_who_is_not_let_in(AdminOperation operation) {
        GivenRequest request = request(operation).withIllegalQuery();

        assertThat(gatekeeper(Admin.DEFAULTS).decide(request.facts())).isInstanceOf(AccessDecision.Disabled.class);
        assertThat(problem(decide(request))).isEqualTo(ProblemType.UNAUTHENTICATED);
        assertThat(problem(decide(request.as("ada")))).isEqualTo(ProblemType.FORBIDDEN);
    }

    @ParameterizedTest
    @EnumSource
    void an_illegal_query_is_refused_at_the_address_of_a_change(AdminOperation operation) {
        AccessDecision decision = decide(request(operation).withIllegalQuery().as("ada", Role.values()));

        if (operation.method().equals("GET")) {
            assertThat(decision).isInstanceOf(AccessDecision.Granted.class);
        } else {
            assertThat(problem(decision)).isEqualTo(ProblemType.INVALID);
        }
    }

    @Test
    void what_is_not_in_the_table_is_refused_whatever_its_query() {
        assertThat(problem(
                        decide(new GivenRequest("GET", "[").withIllegalQuery().as("ada", Role.values()))))
                .isEqualTo(ProblemType.NOT_FOUND);
    }
}
