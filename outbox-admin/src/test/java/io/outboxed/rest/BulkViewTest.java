package io.outboxed.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.DeadLetters;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.BulkRequest.RetryPreview;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.ReplayPreview;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class BulkViewTest {
    private static final long MOST = DeadLetters.MAX_COUNT;

    @Test
    void a_preview_names_the_counts_that_stopped() {
        assertThat(preview(MOST - 1, 1, 1).atLeast()).isEmpty();
        assertThat(preview(MOST, 1, MOST).atLeast()).containsExactly("matched", "behindNewer");
        assertThat(preview(MOST, MOST, 0).atLeast()).containsExactly("matched", "inPlace");
    }

    @Test
    void a_preview_of_a_retry_names_the_counts_that_stopped() {
        assertThat(retry(MOST - 1).atLeast()).isEmpty();
        assertThat(retry(MOST).atLeast()).containsExactly("matched", "inPlace");
        assertThat(retry(7).inPlace()).as("each keeps its place").isEqualTo(7);
    }

    private static BulkView.Preview retry(long matched) {
        return BulkView.Preview.of(new RetryPreview(matched, List.of()), DeadLetterFilter.all());
    }

    @Test
    void an_operation_says_whether_its_count_stopped() {
        assertThat(operation(MOST - 1, DeadLetterFilter.all()).atLeast()).isEmpty();
        assertThat(operation(MOST, DeadLetterFilter.all()).atLeast()).containsExactly("matched");
    }

    @Test
    void an_operation_does_not_show_the_text_of_an_error_but_that_there_is_a_condition() {
        DeadLetterFilter mail = DeadLetterFilter.all().handler("mail");

        BulkView.Filter shown =
                operation(1, mail.error("of alice").errorKind("order of alice")).filter();
        assertThat(shown).isEqualTo(BulkView.Filter.of(mail.error("(not shown)").errorKind("(not shown)")));
        assertThat(operation(1, mail).filter()).isEqualTo(BulkView.Filter.of(mail));
    }

    private static BulkView.Preview preview(long matched, long inPlace, long behindNewer) {
        return BulkView.Preview.of(new ReplayPreview(matched, inPlace, behindNewer, List.of()), DeadLetterFilter.all());
    }

    private static BulkView.Operation operation(long matched, DeadLetterFilter filter) {
        return BulkView.Operation.of(new BulkOperation(
                new UUID(7, 7),
                BulkRequest.discard(filter),
                Attribution.of("bob", "sent by hand"),
                BulkOperation.State.RUNNING,
                matched,
                0,
                Instant.EPOCH,
                null));
    }
}
