package io.outboxed.internal.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.metrics.CapturedLog;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class DatabaseWaitTest {
    private final DatabaseWait wait = new DatabaseWait();

    @Test
    void a_refused_user_is_said_although_the_database_was_down_before() {
        try (CapturedLog log = new CapturedLog()) {
            wait.failed(down());
            wait.failed(down());
            wait.failed(refused());
            wait.failed(refused());
            wait.failed(down());

            assertThat(log.lines).hasSize(2);
            assertThat(log.lines.get(0)).contains("OUTBOX-0451 the database does not answer");
            assertThat(log.lines.get(1)).contains("OUTBOX-0451 the database refuses the user or the password");
        }
    }

    private static StoreException down() {
        return failure("08001");
    }

    private static StoreException refused() {
        return failure("28000");
    }

    private static StoreException failure(String state) {
        return new StoreException("connecting failed", true, new SQLException("no", state));
    }
}
