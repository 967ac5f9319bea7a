package io.outboxed.internal.store.jdbc;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.outboxed.admin.StoredEvent.MessageState;
import io.outboxed.internal.database.Dialect;
import io.outboxed.internal.database.StoreException;
import io.outboxed.internal.store.AckMode;
import io.outboxed.internal.store.MessageHead;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class JdbcTransactionalAckTest {
    private static final MessageHead HEAD = new MessageHead(
            1, new UUID(7, 1), 3, 9, "placed", "order", MessageState.READY, 0, 1, 2, 0, false, null, null);

    /** No statement has failed, so it is not the handler's work that can't be stored. */
    @Test
    void without_a_connection_for_the_end_it_is_worth_another_try_whatever_the_cause() {
        acknowledging(new IllegalStateException("as JPA", new SQLException("no answer", "08001")));
        acknowledging(new IllegalStateException("as Payara's pool", new SQLException("no connection")));
        acknowledging(new IllegalStateException("as JPA"));
    }

    private static void acknowledging(RuntimeException failure) {
        JdbcTransactionalAck ack = new JdbcTransactionalAck(
                null,
                work -> {
                    throw failure;
                },
                Dialect.H2,
                "outbox_",
                new RejectedHistory(false, dropped -> {}));
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> ack.acknowledge(HEAD, "Shop.ship", AckMode.DELETE_MESSAGE))
                .withCause(failure)
                .matches(StoreException::isTransient);
    }
}
