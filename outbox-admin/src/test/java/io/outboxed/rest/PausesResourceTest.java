package io.outboxed.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.OutboxAdmin;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.Pause;
import io.outboxed.admin.PauseTarget;
import io.outboxed.rest.problem.Problem;
import io.outboxed.rest.problem.ProblemException;
import io.outboxed.rest.problem.ProblemType;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PausesResourceTest {
    private final PausesResource pauses = new PausesResource();

    @BeforeEach
    void logIn() {
        pauses.operator = new Operator() {
            @Override
            String name() {
                return "alice";
            }
        };
    }

    @Test
    void a_name_that_nothing_can_have_is_a_problem_of_the_request() {
        String body = "{\"kind\":\"type\",\"name\":\"*\",\"reason\":\"stop\"}";
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> pauses.pause(stream(body)))
                .extracting(failure -> failure.problem().fields())
                .asInstanceOf(InstanceOfAssertFactories.list(Problem.Field.class))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.field()).isEqualTo("name");
                    assertThat(problem.problem()).contains("pause the handler, or everything");
                });
    }

    @Test
    void a_name_that_is_too_long_for_a_pause_is_a_problem_of_the_request() {
        String body = "{\"kind\":\"type\",\"name\":\"" + "x".repeat(129) + "\",\"reason\":\"too long\"}";
        for (ThrowingCallable each :
                List.<ThrowingCallable>of(() -> pauses.pause(stream(body)), () -> pauses.resume(null, stream(body)))) {
            assertThatExceptionOfType(ProblemException.class)
                    .isThrownBy(each)
                    .extracting(ProblemException::problem)
                    .isEqualTo(new Problem(
                            ProblemType.INVALID,
                            "Parameters are missing or wrong; nothing was changed.",
                            List.of(new Problem.Field("name", "expected 1 to 128 characters"))));
        }
    }

    @Test
    void a_resume_of_a_name_that_nothing_can_have_is_a_problem_of_the_request() {
        pauses.admin = (OutboxAdmin) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OutboxAdmin.class}, (proxy, method, asked) -> {
                    throw new IllegalArgumentException("no handler can have this name");
                });
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> pauses.resume(
                        null, stream("{\"kind\":\"handler\",\"name\":\"mail \",\"reason\":\"repaired\"}")))
                .extracting(failure -> failure.problem().fields())
                .isEqualTo(List.of(new Problem.Field("name", "no handler can have this name")));
    }

    @Test
    void a_resume_with_the_version_that_was_read_ends_no_later_pause() {
        Pause seen = pause(1);
        Pause later = pause(2);
        PauseTarget target = seen.target();
        Attribution by = Attribution.of("alice", "repaired");
        String version = ETag.of(seen).tag();

        pauses.admin = admin(List.of(seen), seen);
        assertThat(pauses.resumed(target, version, by)).isTrue();
        pauses.admin = admin(List.of(later), later);
        assertChanged(() -> pauses.resumed(target, version, by));
        pauses.admin = admin(List.of(seen), later);
        assertChanged(() -> pauses.resumed(target, version, by));
        pauses.admin = admin(List.of(), null);
        assertThat(pauses.resumed(target, ETag.of().tag(), by)).isFalse();
    }

    private static void assertChanged(ThrowingCallable resume) {
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(resume)
                .extracting(failure -> failure.problem().type())
                .isEqualTo(ProblemType.CHANGED);
    }

    /** @param inForce by the time of the change */
    private OutboxAdmin admin(List<Pause> read, Pause inForce) {
        return (OutboxAdmin) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {OutboxAdmin.class},
                (proxy, method, asked) -> method.getName().equals("pauses") ? read : asked[0].equals(inForce));
    }

    private static Pause pause(int second) {
        return new Pause(PauseTarget.handler("mail"), Instant.ofEpochSecond(second), "bob", "down");
    }

    private static InputStream stream(String body) {
        return new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8));
    }
}
