package io.outboxed.internal.store.jdbc;

import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.ErrorKind;
import io.outboxed.internal.store.ErrorKindCondition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The conditions of a query for dead letters, with their values. */
final class DeadLetterQuery {
    private final Dialect dialect;
    private final List<String> conditions = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();

    private DeadLetterQuery(Dialect dialect) {
        this.dialect = dialect;
    }

    static DeadLetterQuery of(DeadLetterFilter filter, Dialect dialect) {
        DeadLetterQuery query = new DeadLetterQuery(dialect)
                .where(Sql.DIED_SINCE, micros(filter.diedSince()))
                .where(Sql.DIED_UNTIL, micros(filter.diedUntil()))
                .where(Sql.DEAD_MESSAGE, filter.messageId())
                .exactly(Sql.DEAD_HANDLER, filter.handler())
                .exactly(Sql.DEAD_TYPE, filter.type())
                .exactly(Sql.DEAD_AGGREGATE_TYPE, filter.aggregateType())
                .exactly(Sql.DEAD_AGGREGATE_ID, filter.aggregateId())
                .where(Sql.DEAD_ERROR, filter.errorText());
        if (filter.errorKind() != null) {
            ErrorKindCondition ofKind = ErrorKindCondition.on("m.error", new ErrorKind(filter.errorKind()));
            query.and(ofKind.statement(), ofKind.values().toArray());
        }
        return filter.blocking() ? query.where(Sql.DEAD_BLOCKING, 1) : query;
    }

    private DeadLetterQuery exactly(String equation, String value) {
        Sql.exactly(dialect, equation).forEach(condition -> where(condition, value));
        return this;
    }

    private DeadLetterQuery where(String condition, Object value) {
        return value == null ? this : and(condition, value);
    }

    /** @param all the values of the condition, none of them null */
    DeadLetterQuery and(String condition, Object... all) {
        conditions.add(condition);
        values.addAll(List.of(all));
        return this;
    }

    List<String> conditions() {
        return conditions;
    }

    /** The values in the order of the conditions, followed by the limit. */
    Object[] values(int limit) {
        return Stream.concat(values.stream(), Stream.of(limit)).toArray();
    }

    /** A time that does not fit into a long becomes the nearest one that does. */
    private static Long micros(Instant time) {
        if (time == null) {
            return null;
        }
        long micros = TimeUnit.SECONDS.toMicros(time.getEpochSecond());
        return micros == Long.MAX_VALUE || micros == Long.MIN_VALUE ? micros : micros + time.getNano() / 1000;
    }
}
