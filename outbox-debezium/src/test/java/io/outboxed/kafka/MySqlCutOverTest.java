package io.outboxed.kafka;

import java.io.IOException;

class MySqlCutOverTest extends CutOverContract {

    @Override
    CapturedDatabase database() throws IOException {
        return CapturedDatabase.mySql();
    }
}
