package io.outboxed.kafka;

class PostgreSqlCutOverTest extends CutOverContract {

    @Override
    CapturedDatabase database() {
        return CapturedDatabase.postgreSql();
    }
}
