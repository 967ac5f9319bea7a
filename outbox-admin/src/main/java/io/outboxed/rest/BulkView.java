package io.outboxed.rest;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.BulkRequest.RetryPreview;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.ReplayPreview;
import io.outboxed.admin.WaitingItem;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/** What bulk operations answer with. */
public final class BulkView {

    private static final String NOT_SHOWN = "(not shown)";

    private BulkView() {}

    /** As it is sent back to start a change of what it selects. */
    public record Filter(
            UUID messageId,
            String handler,
            String type,
            String aggregateType,
            String aggregateId,
            String error,
            String errorKind,
            Instant since,
            Instant until,
            boolean blocking) {

        static Filter of(DeadLetterFilter filter) {
            return new Filter(
                    filter.messageId(),
                    filter.handler(),
                    filter.type(),
                    filter.aggregateType(),
                    filter.aggregateId(),
                    filter.errorText(),
                    filter.errorKind(),
                    filter.diedSince(),
                    filter.diedUntil(),
                    filter.blocking());
        }
    }

    /**
     * @param matched how many; counting stops at {@link DeadLetters#MAX_COUNT}
     * @param inPlace how many a replay delivers in their original place
     * @param behindNewer how many a replay delivers behind newer events of their aggregate
     * @param atLeast the names of those of these counts that stopped
     * @param newest samples of dead letters
     * @param oldest samples of what a retry selects
     */
    public record Preview(
            long matched,
            long inPlace,
            long behindNewer,
            List<String> atLeast,
            List<DeadLetter> newest,
            List<WaitingItem> oldest,
            Filter filter) {

        static Preview of(ReplayPreview preview, DeadLetterFilter filter) {
            return new Preview(
                    preview.matched(),
                    preview.inPlace(),
                    preview.behindNewer(),
                    Stream.of(
                                    stopped("matched", preview.matched()),
                                    stopped("inPlace", preview.inPlace()),
                                    stopped("behindNewer", preview.behindNewer()))
                            .flatMap(Function.identity())
                            .toList(),
                    preview.newest(),
                    List.of(),
                    Filter.of(filter));
        }

        /** Each keeps its place. */
        static Preview of(RetryPreview preview, DeadLetterFilter filter) {
            return new Preview(
                    preview.matched(),
                    preview.matched(),
                    0,
                    Stream.of(stopped("matched", preview.matched()), stopped("inPlace", preview.matched()))
                            .flatMap(Function.identity())
                            .toList(),
                    List.of(),
                    preview.oldest(),
                    Filter.of(filter));
        }
    }

    private static Stream<String> stopped(String name, long count) {
        return count >= DeadLetters.MAX_COUNT ? Stream.of(name) : Stream.empty();
    }

    /**
     * A change in the background; see {@link BulkOperation} and {@link BulkRequest}.
     *
     * @param atLeast "matched" if its count stopped
     */
    public record Operation(
            UUID id,
            BulkRequest.Kind kind,
            BulkOperation.State state,
            Filter filter,
            boolean allowReordering,
            int perSecond,
            long matched,
            long changed,
            List<String> atLeast,
            Instant startedAt,
            Instant endedAt,
            Attribution attribution) {

        static Operation of(BulkOperation operation) {
            BulkRequest request = operation.request();
            return new Operation(
                    operation.id(),
                    request.kind(),
                    operation.state(),
                    Filter.of(withoutErrors(request.filter())),
                    request.allowReordering(),
                    request.perSecond(),
                    operation.matched(),
                    operation.changed(),
                    stopped("matched", operation.matched()).toList(),
                    operation.startedAt(),
                    operation.endedAt(),
                    operation.attribution());
        }
    }

    /** Viewers see that there is such a condition. A filter without it would select more if it were sent back. */
    private static DeadLetterFilter withoutErrors(DeadLetterFilter filter) {
        return filter.error(filter.errorText() == null ? null : NOT_SHOWN)
                .errorKind(filter.errorKind() == null ? null : NOT_SHOWN);
    }

    public record Operations(List<Operation> operations) {}
}
