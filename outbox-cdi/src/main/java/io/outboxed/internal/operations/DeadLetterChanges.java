package io.outboxed.internal.operations;

import io.outboxed.DeadLetter;
import io.outboxed.admin.Attribution;
import io.outboxed.admin.BulkRequest;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.ReplayPreview;
import io.outboxed.admin.ReplayResult;
import io.outboxed.internal.database.ChangeRecorder;
import io.outboxed.internal.log.OutboxLog;
import io.outboxed.internal.store.ErrorKind;
import io.outboxed.internal.store.jdbc.DeadLetterStore;
import io.outboxed.internal.store.jdbc.DeadLetterStore.DeadLetterListener;
import io.outboxed.internal.store.jdbc.DeadLetterStore.Edited;
import io.outboxed.internal.store.jdbc.DeadLetterStore.Target;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** Replays and discards dead letters on behalf of an operator, with an audit. */
public final class DeadLetterChanges {
    private static final int SAMPLES = 5;
    private static final String NOT_SHOWN = "(not shown)";

    private final DeadLetterStore letters;
    private final AuditTrail audit;

    DeadLetterChanges(DeadLetterStore letters, AuditTrail audit) {
        this.letters = letters;
        this.audit = audit;
    }

    public ReplayPreview preview(DeadLetterFilter filter) {
        return new ReplayPreview(
                letters.count(filter),
                letters.count(filter.onlyBlocking()),
                letters.countBehindNewer(filter),
                letters.find(filter, null, SAMPLES));
    }

    /** @param allowReordering whether the event may come behind newer ones of its aggregate */
    public ReplayResult replay(Target target, boolean allowReordering, Attribution by) {
        if (letters.replay(target, allowReordering, audit.each(by, "replay"))) {
            return ReplayResult.REPLAYED;
        }
        boolean isLeft = !allowReordering && letters.get(target).isPresent();
        return isLeft ? ReplayResult.WOULD_REORDER : ReplayResult.NOT_FOUND;
    }

    /** @param allowReordering whether the new event may come behind newer ones of its aggregate */
    public ReplayResult replace(Target target, Edited edited, boolean allowReordering, Attribution by) {
        Optional<DeadLetter> letter = letters.get(target);
        if (letter.isPresent()
                && !allowReordering
                && !letter.get().aggregateId().isEmpty()) {
            return ReplayResult.WOULD_REORDER;
        }
        if (letter.isEmpty() || !letters.replace(target, edited, audit.replacing(by, edited.id()))) {
            return ReplayResult.NOT_FOUND;
        }
        OutboxLog.edited(letter.get(), edited.id(), by.who());
        return ReplayResult.REPLAYED;
    }

    /**
     * Replays the oldest first; one row of the audit counts them. Those whose message is locked are left, and logged.
     */
    public int replay(
            DeadLetterFilter filter, int atMost, boolean allowReordering, Attribution by, DeadLetterListener listener) {
        ChangeRecorder recorder = audit.counted(by, "replay", words(filter), filter.messageId());
        return letters.replay(filter, atMost, allowReordering, recorder, logged(letter -> {}, listener));
    }

    static DeadLetterListener logged(Consumer<DeadLetter> log, DeadLetterListener listener) {
        return new DeadLetterListener() {
            @Override
            public void changed(DeadLetter letter) {
                log.accept(letter);
                listener.changed(letter);
            }

            @Override
            public void locked(DeadLetter letter) {
                OutboxLog.deadLetterLocked(letter);
                listener.locked(letter);
            }

            @Override
            public void lostPlace(DeadLetter letter) {
                listener.lostPlace(letter);
            }
        };
    }

    /** @param discarded gets it after the commit */
    public boolean discard(Target target, Attribution by, Consumer<DeadLetter> discarded) {
        Optional<DeadLetter> letter = letters.get(target);
        if (letter.isEmpty() || !letters.discard(target, audit.each(by, "discard"))) {
            return false;
        }
        OutboxLog.discarded(letter.get());
        discarded.accept(letter.get());
        return true;
    }

    /**
     * Discards the oldest first, with a row of the audit and a line of the log for each: nothing else remains. Those
     * whose message is locked are left, and logged.
     */
    public int discard(DeadLetterFilter filter, int atMost, Attribution by, DeadLetterListener listener) {
        ChangeRecorder recorder = audit.each(by, "discard");
        return letters.discard(filter, atMost, recorder, logged(OutboxLog::discarded, listener));
    }

    /** @throws IllegalArgumentException if the period of the filter ends before it begins */
    public static void requirePeriod(DeadLetterFilter filter) {
        Instant since = filter.diedSince();
        Instant until = filter.diedUntil();
        if (since != null && until != null && !since.isBefore(until)) {
            throw new IllegalArgumentException(
                    "diedUntil is " + until + ", expected a time after diedSince, which is " + since);
        }
    }

    /** The conditions as readable text. Text of an error may be data of an event, and the audit outlives both. */
    public static String words(DeadLetterFilter filter) {
        return words("dead letters", filter);
    }

    /** Those of {@link #words(DeadLetterFilter)}, for a retry too. */
    public static String words(BulkRequest request) {
        return words(
                request.kind() == BulkRequest.Kind.RETRY ? "waiting deliveries" : "dead letters", request.filter());
    }

    /** What is always short comes first: the audit cuts long texts. */
    private static String words(String what, DeadLetterFilter filter) {
        StringBuilder words = new StringBuilder(what);
        words.append(filter.blocking() ? " that block" : "");
        words.append(filter.errorText() == null ? "" : " with a certain error");
        words.append(isData(filter.errorKind()) ? " with a certain kind of error" : "");
        append(words, "of event", filter.messageId());
        append(words, "since", filter.diedSince());
        append(words, "until", filter.diedUntil());
        append(words, "with error", isData(filter.errorKind()) ? null : filter.errorKind());
        append(words, "of handler", filter.handler());
        append(words, "of type", filter.type());
        append(words, "of aggregate type", filter.aggregateType());
        append(words, "of aggregate", filter.aggregateId());
        return words.toString();
    }

    private static boolean isData(String errorKind) {
        return errorKind != null && !new ErrorKind(errorKind).isName();
    }

    /** The conditions for what outlives the dead letters, with the same texts of errors as {@link #words}. */
    static DeadLetterFilter withoutData(DeadLetterFilter filter) {
        return filter.error(filter.errorText() == null ? null : NOT_SHOWN)
                .errorKind(isData(filter.errorKind()) ? NOT_SHOWN : filter.errorKind());
    }

    private static void append(StringBuilder words, String name, Object value) {
        if (value != null) {
            words.append(' ').append(name).append(' ').append(value);
        }
    }
}
