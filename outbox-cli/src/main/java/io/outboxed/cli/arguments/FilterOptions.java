package io.outboxed.cli.arguments;

import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.admin.WaitingFilter;
import io.outboxed.admin.WaitingState;
import java.time.Instant;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Conditions that have to be met together. */
public final class FilterOptions {
    @Spec(Spec.Target.MIXEE)
    CommandSpec command;

    @Option(
            names = "--handler",
            paramLabel = "NAME",
            converter = HandlerNameConverter.class,
            description = "of this handler, exactly")
    String handler;

    @Option(names = "--type", paramLabel = "TYPE", description = "of this event type, exactly")
    String type;

    @Option(names = "--aggregate-type", paramLabel = "TYPE", description = "of this type of aggregate, exactly")
    String aggregateType;

    @Option(names = "--aggregate-id", paramLabel = "ID", description = "of this aggregate, exactly")
    String aggregateId;

    @Option(names = "--error", paramLabel = "TEXT", description = "whose error contains this text, case-sensitive")
    String error;

    @Option(
            names = "--error-kind",
            paramLabel = "KIND",
            description = "whose error is of this class, or has this text before the first number or quote, exactly")
    String errorKind;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            converter = PointInTime.Converter.class,
            description = "given up (or, of what waits, stored) at this time or later: " + PointInTime.WORDS)
    PointInTime since;

    @Option(
            names = "--until",
            paramLabel = "TIME",
            converter = PointInTime.Converter.class,
            description = "given up (or, of what waits, stored) before this time")
    PointInTime until;

    /** Whether there is no condition but a latest time, which selects everything that there was by then. */
    public boolean isUnconditional() {
        return deadLetters(new Period(at(since, Instant::now), null)).equals(DeadLetterFilter.all());
    }

    public boolean selectsDeliveries() {
        return handler != null || error != null || errorKind != null;
    }

    /** Whether there is a condition besides the one on the handler. */
    public boolean selectsMoreThanHandler() {
        return error != null
                || errorKind != null
                || type != null
                || aggregateType != null
                || aggregateId != null
                || since != null
                || until != null;
    }

    /** Null for any. */
    public String handler() {
        return handler;
    }

    /**
     * The conditions for dead letters.
     *
     * @param now the database's clock, asked only if needed
     * @throws ParameterException if the period ends before it begins
     */
    public DeadLetterFilter deadLetters(Supplier<Instant> now) {
        return deadLetters(period(now));
    }

    private DeadLetterFilter deadLetters(Period period) {
        return new DeadLetterFilter(
                null, handler, type, aggregateType, aggregateId, error, errorKind, period.from, period.to, false);
    }

    private record Period(Instant from, Instant to) {}

    private Period period(Supplier<Instant> now) {
        Instant from = at(since, now);
        Instant to = at(until, now);
        if (from != null && to != null && !from.isBefore(to)) {
            throw new ParameterException(
                    command.commandLine(), "--until is " + to + ", expected a time after --since, which is " + from);
        }
        return new Period(from, to);
    }

    private static Instant at(PointInTime time, Supplier<Instant> now) {
        return time == null ? null : time.at(time.point() != null ? time.point() : now.get());
    }

    /**
     * The conditions for what waits.
     *
     * @param now the database's clock, asked only if needed
     * @throws ParameterException if the period ends before it begins
     */
    public WaitingFilter waiting(WaitingState state, Supplier<Instant> now) {
        Period period = period(now);
        return new WaitingFilter(
                state, handler, type, aggregateType, aggregateId, error, errorKind, period.from, period.to);
    }
}
