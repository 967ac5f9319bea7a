package io.outboxed.rest;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.OutboxAdmin;
import io.outboxed.rest.problem.Problem;
import io.outboxed.rest.problem.ProblemException;
import io.outboxed.rest.problem.ProblemType;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MessageResourceTest {
    private final MessageResource messages = new MessageResource();

    @BeforeEach
    void logIn() {
        messages.operator = new Operator() {
            @Override
            String name() {
                return "alice";
            }
        };
        messages.admin = (OutboxAdmin) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OutboxAdmin.class}, (proxy, method, asked) -> {
                    throw new IllegalArgumentException("no handler can have this name");
                });
    }

    @Test
    void a_name_that_no_handler_can_have_is_a_problem_of_the_request() {
        UUID id = UUID.randomUUID();
        for (ThrowingCallable each : List.<ThrowingCallable>of(
                () -> messages.retry(id, null, body()),
                () -> messages.replay(id, null, body()),
                () -> messages.discard(id, null, body()))) {
            assertThatExceptionOfType(ProblemException.class)
                    .isThrownBy(each)
                    .extracting(ProblemException::problem)
                    .isEqualTo(Problem.of(ProblemType.INVALID, "no handler can have this name; nothing was changed."));
        }
    }

    private static InputStream body() {
        return new ByteArrayInputStream(
                ("{\"handler\":\"order-mail \",\"reason\":\"sent\"}").getBytes(StandardCharsets.UTF_8));
    }
}
