package io.outboxed.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.OutboxAdmin;
import io.outboxed.admin.Pause;
import io.outboxed.admin.PauseTarget;
import io.outboxed.rest.problem.Problem;
import io.outboxed.rest.problem.ProblemException;
import io.outboxed.rest.problem.ProblemType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
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

    /** Another operator has resumed it and paused the same again, just now. */
    @Test
    void a_resume_with_the_version_that_was_read_does_not_end_a_later_pause() throws IOException {
        Pause seen = pause(1);
        AtomicReference<Pause> inForce = new AtomicReference<>(seen);
        List<Object> resumed = new ArrayList<>();
        pauses.admin = (OutboxAdmin) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OutboxAdmin.class}, (proxy, method, asked) -> {
                    if (method.getName().equals("pauses")) {
                        return List.of(inForce.get());
                    }
                    return asked[0].equals(inForce.get()) && resumed.add(asked[0]);
                });
        String body = "{\"kind\":\"handler\",\"name\":\"mail\",\"reason\":\"repaired\"}";
        String version = ETag.of(seen).tag();

        inForce.set(pause(2));
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> pauses.resume(version, stream(body)))
                .extracting(failure -> failure.problem().type())
                .isEqualTo(ProblemType.CHANGED);
        assertThat(resumed).isEmpty();

        inForce.set(seen);
        pauses.resume(version, stream(body));
        assertThat(resumed).containsExactly(seen);
    }

    private static Pause pause(int second) {
        return new Pause(PauseTarget.handler("mail"), Instant.ofEpochSecond(second), "bob", "down");
    }

    private static InputStream stream(String body) {
        return new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8));
    }
}
