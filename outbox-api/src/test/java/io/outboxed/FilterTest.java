package io.outboxed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingState;
import java.util.List;
import java.util.Map;
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
                "errorText", filter -> filter.error(""));
        ofWhatWaits.forEach((name, condition) -> assertThatIllegalArgumentException()
                .isThrownBy(() -> condition.apply(WaitingFilter.in(WaitingState.WAITING)))
                .withMessageStartingWith(name + " is empty"));
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
}
