package io.outboxed.kafka;

import java.io.IOException;

class MySqlSameRecordsTest extends SameRecordsContract {

    @Override
    CapturedDatabase database() throws IOException {
        return CapturedDatabase.mySql();
    }
}
