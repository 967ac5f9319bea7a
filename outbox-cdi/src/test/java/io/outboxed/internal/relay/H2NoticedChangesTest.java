package io.outboxed.internal.relay;

import java.sql.SQLException;

class H2NoticedChangesTest extends NoticedChangesContract {
    @Override
    LiveDatabase database() throws SQLException {
        return new LiveDatabase();
    }
}
