package io.outboxed.rest.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig.Admin;
import io.outboxed.internal.config.OutboxConfig.Payload;
import io.outboxed.internal.config.OutboxConfig.Roles;
import io.outboxed.rest.problem.ProblemType;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class AccessPolicyTest {
    private static final String ID = "018f3c1e-7b1a-7000-8000-00000000abcd";
    private static final Admin OPEN = new Admin(true, true, Roles.DEFAULTS, "Basic realm=\"outbox\"");

    /** What each role may do, written out by hand. */
    private static final Map<Role, Set<AdminOperation>> MAY = may();

    private static Map<Role, Set<AdminOperation>> may() {
        EnumSet<AdminOperation> viewer = EnumSet.of(
                AdminOperation.STATUS,
                AdminOperation.SHARDS,
                AdminOperation.HANDLERS,
                AdminOperation.MESSAGES,
                AdminOperation.MESSAGE,
                AdminOperation.AGGREGATE,
                AdminOperation.DEAD_LETTERS,
                AdminOperation.FAILURES,
                AdminOperation.OPERATIONS,
                AdminOperation.OPERATION,
                AdminOperation.PAUSES);
        EnumSet<AdminOperation> operator = EnumSet.copyOf(viewer);
        operator.addAll(List.of(
                AdminOperation.AUDIT,
                AdminOperation.RETRY,
                AdminOperation.REPLAY,
                AdminOperation.DISCARD,
                AdminOperation.PREVIEW,
                AdminOperation.REPLAY_MANY,
                AdminOperation.RETRY_MANY,
                AdminOperation.CANCEL,
                AdminOperation.PREVIEW_DROP,
                AdminOperation.PAUSE,
                AdminOperation.RESUME));
        EnumSet<AdminOperation> editor = EnumSet.copyOf(viewer);
        editor.addAll(List.of(AdminOperation.CONTENT, AdminOperation.EDIT));
        EnumSet<AdminOperation> admin = EnumSet.copyOf(operator);
        admin.addAll(
                List.of(AdminOperation.DISCARD_MANY, AdminOperation.DROP_DELIVERIES, AdminOperation.PAUSE_EVERYTHING));
        return Map.of(Role.VIEWER, viewer, Role.OPERATOR, operator, Role.EDITOR, editor, Role.ADMIN, admin);
    }

    static Stream<Arguments> each_role_with_each_operation() {
        return Arrays.stream(Role.values())
                .flatMap(role -> Arrays.stream(AdminOperation.values()).map(each -> Arguments.of(role, each)));
    }

    @ParameterizedTest
    @MethodSource
    void each_role_with_each_operation(Role role, AdminOperation operation) {
        AccessDecision decision = decide(request(operation).as("ada", role));

        if (MAY.get(role).contains(operation)) {
            assertThat(decision).isEqualTo(new AccessDecision.Granted(operation, "ada"));
        } else {
            assertThat(problem(decision)).isEqualTo(ProblemType.FORBIDDEN);
        }
    }

    @ParameterizedTest
    @EnumSource
    void without_configuration_there_is_nothing(AdminOperation operation) {
        assertThat(gatekeeper(Admin.DEFAULTS)
                        .decide(request(operation).as("ada", Role.values()).facts()))
                .isInstanceOf(AccessDecision.Disabled.class);
    }

    @Test
    void unless_it_is_allowed_nobody_may_edit() {
        AccessPolicy gatekeeper = gatekeeper(new Admin(true, false, Roles.DEFAULTS, "Basic"));

        assertThat(problem(gatekeeper.decide(
                        request(AdminOperation.EDIT).as("ada", Role.values()).facts())))
                .isEqualTo(ProblemType.FORBIDDEN);
    }

    @ParameterizedTest
    @EnumSource
    void who_has_not_logged_in_is_asked_to(AdminOperation operation) {
        AccessDecision decision = decide(request(operation));

        assertThat(problem(decision)).isEqualTo(ProblemType.UNAUTHENTICATED);
        assertThat(((AccessDecision.Denied) decision).headers())
                .containsEntry("WWW-Authenticate", "Basic realm=\"outbox\"");
    }

    @Test
    void who_has_not_logged_in_does_not_learn_which_paths_exist() {
        assertThat(problem(decide(new Request("GET", "nowhere")))).isEqualTo(ProblemType.UNAUTHENTICATED);
    }

    @ParameterizedTest
    @EnumSource
    void a_user_without_a_role_may_do_nothing(AdminOperation operation) {
        assertThat(problem(decide(request(operation).as("ada")))).isEqualTo(ProblemType.FORBIDDEN);
    }

    @ParameterizedTest
    @CsvSource({"VIEWER,readers,STATUS", "OPERATOR,crew,RETRY", "EDITOR,privacy,CONTENT", "ADMIN,chiefs,DISCARD_MANY"})
    void the_names_of_roles_are_those_of_the_configuration(Role role, String name, AdminOperation operation) {
        AccessPolicy gatekeeper =
                gatekeeper(new Admin(true, false, new Roles("readers", "crew", "privacy", "chiefs"), "Bearer"));

        assertThat(gatekeeper.decide(request(operation).in(name).facts()))
                .isEqualTo(new AccessDecision.Granted(operation, "ada"));
        assertThat(problem(gatekeeper.decide(request(operation).as("ada", role).facts())))
                .isEqualTo(ProblemType.FORBIDDEN);
    }

    @Test
    void what_is_not_in_the_table_is_refused() {
        assertThat(problem(decide(new Request("GET", "secrets").as("ada", Role.values()))))
                .isEqualTo(ProblemType.NOT_FOUND);
        AccessDecision wrongMethod = decide(new Request("OPTIONS", "pauses").as("ada", Role.values()));
        assertThat(problem(wrongMethod)).isEqualTo(ProblemType.METHOD_NOT_ALLOWED);
        assertThat(((AccessDecision.Denied) wrongMethod).headers()).containsEntry("Allow", "GET, HEAD, POST");
    }

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
        Request request = request(AdminOperation.RESUME)
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
        Request content = new Request(method, "messages/" + ID + "/content")
                .as("ada", Role.EDITOR)
                .header("Sec-Fetch-Site", site);

        AccessDecision decision = decide(content);

        if (admitted) {
            assertThat(decision).isInstanceOf(AccessDecision.Granted.class);
        } else {
            assertThat(problem(decision)).isEqualTo(ProblemType.OTHER_SITE);
        }
        assertThat(decide(new Request(method, "messages/" + ID)
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
        Request edit = request(AdminOperation.EDIT).as("ada", Role.EDITOR);

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
        Request request = request(operation).withoutReadableHeaders();

        assertThat(gatekeeper(Admin.DEFAULTS).decide(request.facts())).isInstanceOf(AccessDecision.Disabled.class);
        assertThat(problem(decide(request))).isEqualTo(ProblemType.UNAUTHENTICATED);
        assertThat(problem(decide(request.as("ada")))).isEqualTo(ProblemType.FORBIDDEN);
    }

    /** Runtimes parse it only when it is asked for, and fail then. */
    @ParameterizedTest
    @EnumSource
    void no_query_is_read_for_somebody_who_is_not_let_in(AdminOperation operation) {
        Request request = request(operation).withIllegalQuery();

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
        assertThat(problem(decide(new Request("GET", "[").withIllegalQuery().as("ada", Role.values()))))
                .isEqualTo(ProblemType.NOT_FOUND);
    }

    private static AccessDecision decide(Request request) {
        return gatekeeper(OPEN).decide(request.facts());
    }

    private static AccessPolicy gatekeeper(Admin config) {
        return new AccessPolicy(config, Payload.DEFAULTS);
    }

    private static ProblemType problem(AccessDecision decision) {
        assertThat(decision).isInstanceOf(AccessDecision.Denied.class);
        return ((AccessDecision.Denied) decision).problem().type();
    }

    private static Request request(AdminOperation operation) {
        return new Request(operation.method(), operation.path().replace("{id}", ID));
    }

    private static final class Request {
        private final String method;
        private final String path;
        private Supplier<String> query = () -> null;
        private final Map<String, String> headers = new HashMap<>(Map.of("Content-Type", "application/json"));
        private UnaryOperator<String> header = headers::get;
        private Optional<String> user = Optional.empty();
        private List<String> roles = List.of();

        Request(String method, String path) {
            this.method = method;
            this.path = "admin/v1/" + path;
        }

        Request as(String name, Role... held) {
            user = Optional.of(name);
            roles = Arrays.stream(held).map(role -> role.in(Roles.DEFAULTS)).toList();
            return this;
        }

        Request withQuery(String parameters) {
            query = () -> parameters;
            return this;
        }

        Request withIllegalQuery() {
            query = () -> {
                throw new IllegalArgumentException("Malformed escape pair at index 9: status?x=%zz");
            };
            return this;
        }

        Request in(String role) {
            user = Optional.of("ada");
            roles = List.of(role);
            return this;
        }

        Request header(String name, String value) {
            headers.put(name, value);
            return this;
        }

        Request withoutReadableHeaders() {
            header = name -> {
                throw new IllegalStateException(name + " was read");
            };
            return this;
        }

        RequestFacts facts() {
            return new RequestFacts(method, path, query, header, user, roles::contains);
        }
    }
}
