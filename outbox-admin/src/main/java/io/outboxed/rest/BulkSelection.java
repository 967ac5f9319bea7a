package io.outboxed.rest;

import io.outboxed.DeadLetters.Filter;
import io.outboxed.admin.ReplayPreview;
import io.outboxed.rest.input.Filters;
import io.outboxed.rest.input.Input;
import java.time.temporal.ChronoUnit;

/** Which dead letters are changed together: at least one condition, or expressly all of them. */
record BulkSelection(Filter filter) {

    static BulkSelection of(Input input) {
        Filter filter = Filters.deadLetters(input.object("filter"));
        boolean everything = filter.diedUntil(null).equals(Filter.all());
        if (input.flag("all") != everything) {
            input.problem(
                    "all",
                    everything
                            ? "no condition is given: expected true to select all dead letters"
                            : "true excludes every condition but \"until\"");
        }
        return new BulkSelection(filter);
    }

    /** Asks for the bound that a preview has set. */
    static BulkSelection bounded(Input input) {
        BulkSelection selection = of(input);
        if (selection.filter().diedUntil() == null) {
            input.problem("filter.until", "is missing: send the filter that the preview has returned");
        }
        return selection;
    }

    /** What dies from now on is not included. The bound is the newest one's time, so that no clock is compared. */
    BulkSelection frozen(ReplayPreview preview) {
        if (preview.newest().isEmpty()) {
            return this;
        }
        return new BulkSelection(
                filter.diedUntil(preview.newest().get(0).diedAt().plus(1, ChronoUnit.MICROS)));
    }

    Version version(ReplayPreview preview) {
        return Version.of(filter, preview.matched(), preview.inPlace());
    }
}
