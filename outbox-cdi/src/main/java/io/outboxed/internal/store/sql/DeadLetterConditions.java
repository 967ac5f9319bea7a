package io.outboxed.internal.store.sql;

import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.internal.database.Conditions;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.DeadLetterPosition;

/** Which dead letters a query reads. */
public final class DeadLetterConditions {
    private DeadLetterConditions() {}

    public static Conditions of(DeadLetterFilter filter, Dialect dialect) {
        Conditions all = new Conditions(dialect)
                .where(DeadLetterSql.DIED_SINCE, filter.diedSince())
                .where(DeadLetterSql.DIED_UNTIL, filter.diedUntil())
                .where(DeadLetterSql.DEAD_MESSAGE, filter.messageId())
                .exactly(DeadLetterSql.DEAD_HANDLER, filter.handler())
                .exactly(DeadLetterSql.DEAD_TYPE, filter.type())
                .exactly(DeadLetterSql.DEAD_AGGREGATE_TYPE, filter.aggregateType())
                .exactly(DeadLetterSql.DEAD_AGGREGATE_ID, filter.aggregateId())
                .where(DeadLetterSql.DEAD_ERROR, filter.errorText());
        ErrorKindCondition.add(all, "m.error", filter.errorKind());
        return filter.blocking() ? all.and(DeadLetterSql.DEAD_BLOCKING, 1) : all;
    }

    /** @param position the last row of the previous page, or null */
    public static Conditions beyond(Conditions all, String condition, DeadLetterPosition position) {
        return position == null
                ? all
                : all.and(
                        condition,
                        position.diedAtMicros(),
                        position.diedAtMicros(),
                        position.messageId(),
                        position.handler());
    }

    /** @param end the last row, or null */
    public static Conditions within(Conditions all, DeadLetterPosition end) {
        return end == null
                ? all
                : all.and(
                        DeadLetterSql.DIED_NOT_AFTER,
                        end.diedAtMicros(),
                        end.diedAtMicros(),
                        end.messageId(),
                        end.handler());
    }
}
