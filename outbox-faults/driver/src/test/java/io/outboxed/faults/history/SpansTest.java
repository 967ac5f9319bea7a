package io.outboxed.faults.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.faults.history.Spans.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Compared with sets of single moments. */
class SpansTest {
    private static final int END = 60;

    @Test
    void sets_of_spans_are_sets_of_moments() {
        Random random = new Random(1);
        for (int i = 0; i < 500; i++) {
            Spans a = some(random);
            Spans b = some(random);
            assertThat(moments(a.and(b)))
                    .containsExactlyElementsOf(
                            moments(a).stream().filter(moments(b)::contains).toList());
            assertThat(moments(a.without(b)))
                    .containsExactlyElementsOf(moments(a).stream()
                            .filter(m -> !moments(b).contains(m))
                            .toList());
            assertThat(moments(a.complement(5, 50)))
                    .containsExactlyElementsOf(LongStream.range(5, 50)
                            .boxed()
                            .filter(m -> !moments(a).contains(m))
                            .toList());
        }
    }

    private static Spans some(Random random) {
        List<Span> spans = new ArrayList<>();
        for (int i = random.nextInt(8); i > 0; i--) {
            long from = random.nextInt(END);
            spans.add(new Span(from, from + random.nextInt(10)));
        }
        return Spans.of(spans);
    }

    private static List<Long> moments(Spans spans) {
        return spans.spans().stream()
                .flatMap(span -> LongStream.range(span.from(), span.to()).boxed())
                .toList();
    }
}
