package io.outboxed.internal.store.jdbc;

import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.internal.database.Conditions;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.store.DeadLetterKey;
import io.outboxed.internal.store.ErrorKindCondition;

/** Which dead letters a query reads. */
final class DeadLetterConditions {
    private DeadLetterConditions() {}

    static Conditions of(DeadLetterFilter filter, Dialect dialect) {
        Conditions all = new Conditions(dialect)
                .where(Sql.DIED_SINCE, filter.diedSince())
                .where(Sql.DIED_UNTIL, filter.diedUntil())
                .where(Sql.DEAD_MESSAGE, filter.messageId())
                .exactly(Sql.DEAD_HANDLER, filter.handler())
                .exactly(Sql.DEAD_TYPE, filter.type())
                .exactly(Sql.DEAD_AGGREGATE_TYPE, filter.aggregateType())
                .exactly(Sql.DEAD_AGGREGATE_ID, filter.aggregateId())
                .where(Sql.DEAD_ERROR, filter.errorText());
        ErrorKindCondition.add(all, "m.error", filter.errorKind());
        return filter.blocking() ? all.and(Sql.DEAD_BLOCKING, 1) : all;
    }

    /** @param key the last row of the previous page, or null */
    static Conditions beyond(Conditions all, String condition, DeadLetterKey key) {
        return key == null
                ? all
                : all.and(condition, key.diedAtMicros(), key.diedAtMicros(), key.messageId(), key.handler());
    }
}
