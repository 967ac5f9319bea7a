package io.outboxed.rest;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.BulkOperation;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.ReplayPreview;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** What bulk operations answer with. */
public final class BulkView {

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
     * @param newest samples
     */
    public record Preview(long matched, long inPlace, long behindNewer, List<DeadLetter> newest, Filter filter) {

        static Preview of(ReplayPreview preview, DeadLetterFilter filter) {
            return new Preview(
                    preview.matched(), preview.inPlace(), preview.behindNewer(), preview.newest(), Filter.of(filter));
        }
    }

    /** A change in the background; see {@link BulkOperation} and {@link BulkRequest}. */
    public record Operation(
            UUID id,
            BulkRequest.Kind kind,
            BulkOperation.State state,
            Filter filter,
            boolean acceptOrder,
            int perSecond,
            long matched,
            long changed,
            Instant startedAt,
            Instant endedAt,
            Attribution attribution) {

        static Operation of(BulkOperation operation) {
            BulkRequest request = operation.request();
            return new Operation(
                    operation.id(),
                    request.kind(),
                    operation.state(),
                    Filter.of(request.filter()),
                    request.acceptOrder(),
                    request.perSecond(),
                    operation.matched(),
                    operation.changed(),
                    operation.startedAt(),
                    operation.endedAt(),
                    operation.attribution());
        }
    }

    public record Operations(List<Operation> operations) {}
}
