package io.outboxed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class FilterTest {

    /** An empty text is a part of every error, so it would select everything. */
    @Test
    void an_empty_text_is_refused_by_the_name_of_its_condition() {
        Map<String, Function<DeadLetterFilter, DeadLetterFilter>> ofDeadLetters = Map.of(
                "handler", filter -> filter.handler(""),
                "type", filter -> filter.type(""),
                "aggregateType", filter -> filter.aggregate("", null),
                "aggregateId", filter -> filter.aggregate(null, ""),
                "errorText", filter -> filter.error(""),
                "errorKind", filter -> filter.errorKind(""));
        ofDeadLetters.forEach((name, condition) -> assertThatIllegalArgumentException()
                .isThrownBy(() -> condition.apply(DeadLetterFilter.all()))
                .withMessageStartingWith(name + " is empty"));

        Map<String, Function<WaitingFilter, WaitingFilter>> ofWhatWaits = Map.of(
                "handler", filter -> filter.handler(""),
                "type", filter -> filter.type(""),
                "aggregateType", filter -> filter.aggregate("", null),
                "aggregateId", filter -> filter.aggregate(null, ""),
                "errorText", filter -> filter.error(""),
                "errorKind", filter -> filter.errorKind(""));
        ofWhatWaits.forEach((name, condition) -> assertThatIllegalArgumentException()
                .isThrownBy(() -> condition.apply(WaitingFilter.in(WaitingState.WAITING)))
                .withMessageStartingWith(name + " is empty"));
    }

    @Test
    void what_only_a_delivery_has_selects_no_messages() {
        List<Function<WaitingFilter, WaitingFilter>> ofDeliveries = List.of(
                filter -> filter.handler("mail"), filter -> filter.error("down"), filter -> filter.errorKind("down"));
        for (WaitingState state : WaitingState.values()) {
            WaitingFilter any = WaitingFilter.in(state);
            ofDeliveries.forEach(condition -> {
                if (state.isOfDeliveries()) {
                    assertThat(condition.apply(any)).isNotEqualTo(any);
                } else {
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> condition.apply(any))
                            .withMessageContainingAll("errorKind", state.toString(), "WAITING or BLOCKED");
                }
            });
        }
    }

    @Test
    void each_condition_on_what_waits_keeps_the_others() {
        Instant noon = Instant.parse("2026-01-31T12:00:00Z");
        WaitingFilter all = new WaitingFilter(
                WaitingState.WAITING,
                "mail",
                "order.placed",
                "order",
                "7",
                "refused",
                "down",
                noon,
                noon.plusSeconds(1));
        assertThat(WaitingFilter.in(WaitingState.WAITING)
                        .errorKind("down")
                        .createdUntil(noon.plusSeconds(1))
                        .createdSince(noon)
                        .error("refused")
                        .aggregate("order", 7)
                        .type("order.placed")
                        .handler("mail")
                        .errorKind("down"))
                .isEqualTo(all);
        assertThat(all.errorKind(null).errorKind()).isNull();
    }

    @Test
    void null_removes_a_condition() {
        List<Function<DeadLetterFilter, DeadLetterFilter>> all = List.of(
                filter -> filter.handler(null),
                filter -> filter.type(null),
                filter -> filter.aggregate(null, null),
                filter -> filter.error(null),
                filter -> filter.errorKind(null));
        all.forEach(
                condition -> assertThat(condition.apply(DeadLetterFilter.all())).isEqualTo(DeadLetterFilter.all()));
    }

    @Test
    void since_the_beginning_of_time_is_no_condition() {
        DeadLetterFilter all = DeadLetterFilter.all();

        assertThat(all.diedSince(Instant.MIN)).isEqualTo(all);
        assertThat(all.diedSince(Instant.EPOCH.plusNanos(999))).isEqualTo(all);
        assertThat(all.diedSince(Instant.EPOCH.plusNanos(1000))).isNotEqualTo(all);
    }

    private static boolean mayOverlap(DeadLetterFilter one, DeadLetterFilter other) {
        return BulkRequest.replay(one).mayOverlap(BulkRequest.discard(other));
    }

    @Test
    void filters_that_name_different_values_of_one_field_select_nothing_together() {
        DeadLetterFilter all = DeadLetterFilter.all();
        Instant noon = Instant.parse("2026-01-31T12:00:00Z");
        Map<DeadLetterFilter, DeadLetterFilter> apart = Map.of(
                all.handler("mail"), all.handler("ship"),
                all.type("order.placed"), all.type("order.paid").handler("mail"),
                all.aggregate("order", null), all.aggregate("customer", null),
                all.aggregate(null, 1), all.aggregate(null, 2),
                all.message(new UUID(1, 2)), all.message(new UUID(1, 3)),
                all.errorKind("java.io.IOException"), all.errorKind("java.lang.Exception"),
                all.diedSince(noon), all.diedUntil(noon));
        apart.forEach((one, other) -> {
            assertThat(mayOverlap(one, other)).as(one + " and " + other).isFalse();
            assertThat(mayOverlap(other, one)).as(other + " and " + one).isFalse();
        });
    }

    @Test
    void two_retries_may_select_the_same_delivery_although_they_name_different_kinds_of_errors() {
        BulkRequest refused = BulkRequest.retry(
                WaitingFilter.in(WaitingState.WAITING).handler("mail").errorKind("java.net.ConnectException"));
        BulkRequest late =
                BulkRequest.retry(WaitingFilter.in(WaitingState.WAITING).errorKind("java.net.SocketTimeoutException"));
        BulkRequest ofAnother =
                BulkRequest.retry(WaitingFilter.in(WaitingState.WAITING).handler("ship"));

        assertThat(refused.mayOverlap(late))
                .as("each try may fail in another way")
                .isTrue();
        assertThat(refused.mayOverlap(ofAnother)).isFalse();
    }

    @Test
    void all_other_filters_may_select_the_same() {
        DeadLetterFilter all = DeadLetterFilter.all();
        Instant noon = Instant.parse("2026-01-31T12:00:00Z");
        Map<DeadLetterFilter, DeadLetterFilter> together = Map.of(
                all,
                all,
                all.handler("mail"),
                all.type("order.placed"),
                all.handler("mail").diedUntil(noon),
                all.handler("mail").diedUntil(noon.plusNanos(1)),
                all.error("refused"),
                all.error("timeout"),
                all.errorKind("order"),
                all.errorKind("order of"),
                all.onlyBlocking(),
                all.handler("mail"),
                all.diedSince(noon),
                all.diedUntil(noon.plusNanos(1000)));
        together.forEach((one, other) -> {
            assertThat(mayOverlap(one, other)).as(one + " and " + other).isTrue();
            assertThat(mayOverlap(other, one)).as(other + " and " + one).isTrue();
        });
        assertThat(mayOverlap(all.handler("mail"), all.handler("mail ")))
                .as("on MySQL and MariaDB")
                .isTrue();
    }
}
