package io.outboxed.kafka;

class PostgreSqlSameRecordsTest extends SameRecordsContract {

    @Override
    CapturedDatabase database() {
        return CapturedDatabase.postgreSql();
    }
}
