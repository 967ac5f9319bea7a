package io.outboxed.rest;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.rest.problem.Problem;
import io.outboxed.rest.problem.ProblemException;
import io.outboxed.rest.problem.ProblemType;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class PausesResourceTest {
    private final PausesResource pauses = new PausesResource();

    @Test
    void a_name_that_is_too_long_for_a_pause_is_a_problem_of_the_request() {
        pauses.operator = new Operator() {
            @Override
            String name() {
                return "alice";
            }
        };
        String body = "{\"kind\":\"type\",\"name\":\"" + "x".repeat(129) + "\",\"reason\":\"too long\"}";
        for (ThrowingCallable each :
                List.<ThrowingCallable>of(() -> pauses.pause(stream(body)), () -> pauses.resume(stream(body)))) {
            assertThatExceptionOfType(ProblemException.class)
                    .isThrownBy(each)
                    .extracting(ProblemException::problem)
                    .isEqualTo(new Problem(
                            ProblemType.INVALID,
                            "Parameters are missing or wrong; nothing was changed.",
                            List.of(new Problem.Field("name", "expected 1 to 128 characters"))));
        }
    }

    private static InputStream stream(String body) {
        return new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8));
    }
}
