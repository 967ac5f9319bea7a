package io.outboxed.rest;

import io.outboxed.DeadLetter;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.ReplayPreview;
import io.outboxed.rest.input.FilterInput;
import io.outboxed.rest.input.Input;
import io.outboxed.rest.problem.ProblemException;
import io.outboxed.rest.problem.ProblemType;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** What is changed together: at least one condition, or expressly everything. */
record BulkSelection(BulkRequest.Kind kind, DeadLetterFilter filter) {

    static BulkSelection of(Input input, BulkRequest.Kind kind) {
        DeadLetterFilter filter = FilterInput.deadLetters(input.object("filter"));
        boolean all = input.flag("all");
        boolean isUnconditional = filter.diedUntil(null).equals(DeadLetterFilter.all());
        if (!all && isUnconditional) {
            input.problem("all", "no condition but \"until\" is given: expected true to select everything");
        }
        if (all && !isUnconditional) {
            input.problem("all", "true excludes every condition but \"until\"");
        }
        if (kind == BulkRequest.Kind.RETRY && filter.messageId() != null) {
            input.problem("filter.messageId", "selects dead letters: retry that event instead, or leave it out");
        }
        if (kind == BulkRequest.Kind.RETRY && filter.blocking()) {
            input.problem("filter.blocking", "selects dead letters: leave it out");
        }
        return new BulkSelection(kind, filter);
    }

    boolean isRetry() {
        return kind == BulkRequest.Kind.RETRY;
    }

    /** The request, with the default rate. */
    BulkRequest request(boolean allowReordering) {
        return new BulkRequest(kind, filter, allowReordering, BulkRequest.DEFAULT_PER_SECOND);
    }

    /** Asks for the bound that a preview has set. */
    static BulkSelection bounded(Input input, BulkRequest.Kind kind) {
        BulkSelection selection = of(input, kind);
        if (selection.filter().diedUntil() == null) {
            input.problem("filter.until", "is missing: send the filter that the preview has returned");
        }
        return selection;
    }

    /**
     * What dies from now on is not included. The bound is a time that the database has stored, or its clock's if it has
     * stored none, so that no other clock is compared.
     *
     * @param newest the newest one, if there is one
     */
    BulkSelection frozen(List<DeadLetter> newest, Supplier<Instant> databaseClock) {
        return until(
                newest.isEmpty()
                        ? bound(databaseClock.get())
                        : after(newest.get(0).diedAt()));
    }

    /** Of a retry: what is stored from now on is not included. */
    BulkSelection frozen(Instant databaseClock) {
        return until(bound(databaseClock));
    }

    private BulkSelection until(Instant bound) {
        return new BulkSelection(kind, filter.diedUntil(bound));
    }

    /** Of a selection of nothing: a period that begins later still ends after it begins. */
    private Instant bound(Instant now) {
        Instant since = filter.diedSince();
        Instant until = filter.diedUntil();
        Instant bound = since == null || since.isBefore(now) ? now : after(since);
        return until != null && until.isBefore(bound) ? until : bound;
    }

    private static Instant after(Instant time) {
        return time.plus(1, ChronoUnit.MICROS);
    }

    /** What it would change, if that is what the operator has seen. */
    ReplayPreview seen(Function<DeadLetterFilter, ReplayPreview> previews, String ifMatch) {
        ETag.require(ifMatch);
        ReplayPreview preview = previews.apply(filter);
        version(preview).check(ifMatch);
        return preview;
    }

    /** The same of a retry. */
    void seen(String ifMatch) {
        ETag.require(ifMatch);
        version().check(ifMatch);
    }

    static void requireConsent(ReplayPreview preview, boolean allowReordering) {
        if (preview.behindNewer() > 0 && !allowReordering) {
            throw new ProblemException(
                    ProblemType.WOULD_REORDER,
                    "Handlers may get " + preview.behindNewer() + " of these events after newer ones of their"
                            + " aggregates; nothing was changed. Send \"allowReordering\": true if they can cope with"
                            + " that, or \"blocking\": true in the filter to replay those that hold up their"
                            + " aggregate.");
        }
    }

    /** Of a retry: without the number, because deliveries become due by themselves. */
    ETag version() {
        return ETag.of(kind, filter);
    }

    ETag version(ReplayPreview preview) {
        return ETag.of(filter, preview.matched(), preview.inPlace(), preview.behindNewer());
    }
}
