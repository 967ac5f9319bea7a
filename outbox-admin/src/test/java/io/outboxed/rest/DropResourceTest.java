package io.outboxed.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.outboxed.OutboxAdmin;
import io.outboxed.admin.RegisteredHandler.Drop;
import io.outboxed.admin.RegisteredHandler.DropPreview;
import io.outboxed.admin.RegisteredHandler.DropResult;
import io.outboxed.admin.RegisteredHandler.Verdict;
import io.outboxed.rest.problem.Problem;
import io.outboxed.rest.problem.ProblemException;
import io.outboxed.rest.problem.ProblemType;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DropResourceTest {
    private static final String RETIRE = "{\"handler\":\"old\",\"retire\":true,\"reason\":\"sold\"}";
    private static final Drop RETIRING = Drop.retiring("old");

    private final DropResource resource = new DropResource();
    private final List<Drop> made = new ArrayList<>();
    private DropPreview preview = preview(Verdict.ACCEPTED, "order.placed");

    @BeforeEach
    void logIn() {
        resource.operator = new Operator() {
            @Override
            String name() {
                return "alice";
            }
        };
        resource.admin = (OutboxAdmin) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OutboxAdmin.class}, (proxy, method, asked) -> {
                    if (method.getName().equals("previewDrop")) {
                        return preview;
                    }
                    made.add((Drop) asked[0]);
                    return new DropResult(preview.verdict(), List.of(), 0, 0, true);
                });
    }

    @Test
    void a_drop_needs_the_version_of_a_preview() {
        for (String none : new String[] {null, "*"}) {
            assertThat(problem(() -> resource.dropDeliveries(none, stream(RETIRE)))
                            .type())
                    .isEqualTo(ProblemType.VERSION_REQUIRED);
        }
        assertThat(made).isEmpty();
    }

    @Test
    void a_drop_is_refused_once_other_types_would_be_retired_than_the_preview_has_shown() {
        String seen = version(RETIRING, "order.placed");
        preview = preview(Verdict.ACCEPTED, "order.placed", "order.shipped");

        assertThat(problem(() -> resource.dropDeliveries(seen, stream(RETIRE))).type())
                .isEqualTo(ProblemType.CHANGED);
        assertThat(made).isEmpty();
    }

    @Test
    void the_version_of_a_preview_that_retires_nothing_retires_nothing() {
        preview = preview(Verdict.ACCEPTED);
        String seen = version(Drop.of("old"));

        assertThat(problem(() -> resource.dropDeliveries(seen, stream(RETIRE))).type())
                .isEqualTo(ProblemType.CHANGED);
        assertThat(made).isEmpty();
    }

    @Test
    void what_is_refused_says_why_to_a_preview_and_to_a_drop() {
        assertRefused(Verdict.UNKNOWN_HANDLER, ProblemType.NOTHING_TO_CHANGE);
        assertRefused(Verdict.UNKNOWN_TYPE, ProblemType.NOTHING_TO_CHANGE);
        assertRefused(Verdict.NOT_RETIRED, ProblemType.HANDLER_IN_USE);
        assertThat(made).isEmpty();
    }

    private void assertRefused(Verdict verdict, ProblemType expected) {
        preview = preview(verdict, "order.placed");
        assertThat(problem(() -> resource.preview(stream("{\"handler\":\"old\"}")))
                        .type())
                .isEqualTo(expected);
        assertThat(problem(() -> resource.dropDeliveries("\"any\"", stream(RETIRE)))
                        .type())
                .isEqualTo(expected);
    }

    @Test
    void a_type_or_a_limit_that_makes_no_sense_is_a_problem_of_the_request() {
        assertThat(problem(() -> resource.preview(stream("{\"handler\":\"old\",\"type\":\"*\"}")))
                        .fields())
                .extracting(Problem.Field::field)
                .containsExactly("type");
        for (String limit : List.of("0", "10001", "\"all\"")) {
            String body = RETIRE.replace("}", ",\"limit\":" + limit + "}");
            assertThat(problem(() -> resource.dropDeliveries("\"any\"", stream(body)))
                            .fields())
                    .extracting(Problem.Field::field)
                    .containsExactly("limit");
        }
        assertThat(made).isEmpty();
    }

    private static String version(Drop drop, String... retiring) {
        return ETag.of(drop, List.of(retiring), List.of("order.cancelled"), List.of())
                .tag();
    }

    private static DropPreview preview(Verdict verdict, String... retiring) {
        return new DropPreview(
                verdict, List.of(retiring), List.of("order.cancelled"), List.of(), 7, List.of(), List.of());
    }

    private static Problem problem(ThrowingCallable request) {
        return catchThrowableOfType(ProblemException.class, request).problem();
    }

    private static InputStream stream(String body) {
        return new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8));
    }
}
