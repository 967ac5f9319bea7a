package io.outboxed.internal.retention;

import io.outboxed.internal.database.Dialect;
import io.outboxed.servers.database.RealMariaDb;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Only with -Pmariadb, to save time. */
@Tag("mariadb")
class MariaDbRetentionPlansTest {

    @Test
    void every_statement_follows_the_index_by_time() throws Exception {
        try (RealMariaDb server = RealMariaDb.start()) {
            RetentionPlansTest.assertEachFollowsTheIndex(server, Dialect.MARIADB);
        }
    }
}
