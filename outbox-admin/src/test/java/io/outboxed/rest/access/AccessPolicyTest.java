package io.outboxed.rest.access;

import static io.outboxed.rest.access.GivenRequest.decide;
import static io.outboxed.rest.access.GivenRequest.gatekeeper;
import static io.outboxed.rest.access.GivenRequest.problem;
import static io.outboxed.rest.access.GivenRequest.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig.Admin;
import io.outboxed.internal.config.OutboxConfig.Roles;
import io.outboxed.rest.problem.ProblemType;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which user may call which operation. */
class AccessPolicyTest {
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
        assertThat(problem(decide(new GivenRequest("GET", "nowhere")))).isEqualTo(ProblemType.UNAUTHENTICATED);
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
        assertThat(problem(decide(new GivenRequest("GET", "secrets").as("ada", Role.values()))))
                .isEqualTo(ProblemType.NOT_FOUND);
        AccessDecision wrongMethod = decide(new GivenRequest("OPTIONS", "pauses").as("ada", Role.values()));
        assertThat(problem(wrongMethod)).isEqualTo(ProblemType.METHOD_NOT_ALLOWED);
        assertThat(((AccessDecision.Denied) wrongMethod).headers()).containsEntry("Allow", "GET, HEAD, POST");
    }
}
