package io.outboxed.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.DeadLetter;
import io.outboxed.admin.BulkRequest.Kind;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.ReplayPreview;
import io.outboxed.rest.input.Input;
import io.outboxed.rest.input.JsonInput;
import io.outboxed.rest.problem.Problem;
import io.outboxed.rest.problem.ProblemException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class ETagTest {
    private static final Instant DIED = Instant.parse("2026-01-31T12:00:00.000007Z");

    @Test
    void equal_states_have_one_version_and_different_ones_two() {
        assertThat(ETag.of("a", 1)).isEqualTo(ETag.of("a", 1)).isNotEqualTo(ETag.of("a", 2));
        assertThat(ETag.of("a").tag()).matches("\"[A-Za-z0-9_-]{16}\"");
    }

    @Test
    void a_header_names_the_version_or_any_or_is_missing() {
        ETag version = ETag.of("a");

        assertThatCode(() -> version.check(null)).doesNotThrowAnyException();
        assertThatCode(() -> version.check("*")).doesNotThrowAnyException();
        assertThatCode(() -> version.check("\"x\", " + version.tag())).doesNotThrowAnyException();
        assertThatCode(() -> version.check("W/" + version.tag()))
                .as("behind a proxy that compresses")
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> version.check("\"x\"")).isInstanceOf(ProblemException.class);
        assertThatThrownBy(() -> version.check("")).isInstanceOf(ProblemException.class);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"*", "\"x\", *", ""})
    void many_are_changed_only_by_the_version_of_a_preview(String ifMatch) {
        BulkSelection selection =
                new BulkSelection(Kind.REPLAY, DeadLetterFilter.all().handler("m"));

        assertThatThrownBy(() -> selection.seen(filter -> preview(3), ifMatch)).isInstanceOf(ProblemException.class);
        String tag = selection.version(preview(3)).tag();
        assertThat(selection.seen(filter -> preview(3), "\"x\", " + tag)).isEqualTo(preview(3));
    }

    /** A preview sets it anyway, so it shows nothing of what the operator wants. */
    @Test
    void the_bound_alone_is_no_condition() {
        String bound = "\"filter\":{\"until\":\"" + DIED + "\"}";

        assertThat(problems("{" + bound + "}")).containsExactly("all");
        assertThat(problems("{" + bound + ",\"all\":true}")).isEmpty();
        assertThat(problems("{\"filter\":{\"until\":\"" + DIED + "\",\"handler\":\"m\"}}"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000000999Z"})
    void since_the_beginning_of_time_is_no_condition(String since) throws IOException {
        String filter = "\"filter\":{\"since\":\"" + since + "\",\"until\":\"" + DIED + "\"}";

        assertThat(problems("{" + filter + "}")).containsExactly("all");
        assertThat(problems("{" + filter + "}", Kind.RETRY)).containsExactly("all");
        assertThat(problems("{" + filter + ",\"all\":true}")).isEmpty();
        assertThat(BulkSelection.of(json("{" + filter + ",\"all\":true}"), Kind.REPLAY)
                        .filter())
                .isEqualTo(DeadLetterFilter.all().diedUntil(DIED));
        assertThat(problems("{\"filter\":{\"since\":\"1970-01-01T00:00:00.000001Z\",\"until\":\"" + DIED + "\"}}"))
                .isEmpty();
    }

    @Test
    void a_retry_takes_no_conditions_of_dead_letters() {
        String bound = "\"until\":\"" + DIED + "\"";

        assertThat(problems("{\"filter\":{\"handler\":\"m\"," + bound + "}}", Kind.RETRY))
                .isEmpty();
        assertThat(problems("{\"filter\":{\"blocking\":true," + bound + "}}", Kind.RETRY))
                .containsExactly("filter.blocking");
        assertThat(problems("{\"filter\":{\"messageId\":\"" + new UUID(7, 7) + "\"," + bound + "}}", Kind.RETRY))
                .containsExactly("filter.messageId");
        assertThat(problems("{\"filter\":{\"handler\":\"m\"}}", Kind.RETRY)).containsExactly("filter.until");
    }

    private static List<String> problems(String body) {
        return problems(body, Kind.REPLAY);
    }

    private static List<String> problems(String body, Kind kind) {
        try {
            Input input = json(body);
            BulkSelection.bounded(input, kind);
            input.check();
            return List.of();
        } catch (ProblemException e) {
            return e.problem().fields().stream().map(Problem.Field::field).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Input json(String body) throws IOException {
        return JsonInput.read(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void a_selection_ends_with_the_newest_dead_letter_of_its_preview() {
        BulkSelection frozen = new BulkSelection(
                        Kind.REPLAY, DeadLetterFilter.all().handler("m"))
                .frozen(preview(3).newest(), () -> {
                    throw new AssertionError("no clock is needed");
                });

        assertThat(frozen.filter())
                .isEqualTo(DeadLetterFilter.all().handler("m").diedUntil(DIED.plusNanos(1000)));
    }

    @Test
    void a_selection_of_nothing_ends_now() {
        DeadLetterFilter mail = DeadLetterFilter.all().handler("m");
        Instant earlier = DIED.minusSeconds(1);
        Instant later = DIED.plusSeconds(1);

        assertThat(frozen(mail)).isEqualTo(mail.diedUntil(DIED));
        assertThat(frozen(mail.diedUntil(later))).isEqualTo(mail.diedUntil(DIED));
        assertThat(frozen(mail.diedUntil(earlier))).isEqualTo(mail.diedUntil(earlier));
        assertThat(frozen(mail.diedSince(later)))
                .as("a period that ends after it begins")
                .isEqualTo(mail.diedSince(later).diedUntil(later.plusNanos(1000)));
    }

    private static DeadLetterFilter frozen(DeadLetterFilter filter) {
        return new BulkSelection(Kind.REPLAY, filter)
                .frozen(List.of(), () -> DIED)
                .filter();
    }

    @Test
    void a_selection_has_another_version_with_another_filter_or_count() {
        BulkSelection selection =
                new BulkSelection(Kind.REPLAY, DeadLetterFilter.all().handler("m"));

        assertThat(selection.version(preview(3)))
                .isEqualTo(selection.version(preview(3)))
                .isNotEqualTo(selection.version(preview(2)))
                .isNotEqualTo(
                        new BulkSelection(Kind.REPLAY, DeadLetterFilter.all().handler("n")).version(preview(3)));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"*", "\"x\""})
    void many_are_retried_only_by_the_version_of_a_preview_of_a_retry(String ifMatch) {
        BulkSelection retry =
                new BulkSelection(Kind.RETRY, DeadLetterFilter.all().handler("m")).frozen(DIED);

        assertThat(retry.filter().diedUntil()).isEqualTo(DIED);
        assertThatThrownBy(() -> retry.seen(ifMatch)).isInstanceOf(ProblemException.class);
        assertThatCode(() -> retry.seen(retry.version().tag())).doesNotThrowAnyException();
        assertThat(retry.version())
                .isNotEqualTo(new BulkSelection(Kind.REPLAY, retry.filter()).version())
                .isNotEqualTo(retry.frozen(DIED.minusSeconds(1)).version());
    }

    private static ReplayPreview preview(long matched) {
        DeadLetter newest = new DeadLetter(
                new UUID(7, 7), "order.placed", "order", "1", "m", "m", 5, "boom", Instant.EPOCH, DIED, false);
        return new ReplayPreview(matched, 0, matched, List.of(newest));
    }
}
