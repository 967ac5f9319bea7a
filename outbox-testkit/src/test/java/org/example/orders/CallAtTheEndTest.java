package org.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.Outbox;
import io.outboxed.internal.testkit.standalone.StandaloneOutbox;
import io.outboxed.testkit.OutboxTester;
import jakarta.annotation.Resource;
import jakarta.enterprise.event.Observes;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.naming.InitialContext;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A call that the last test of a class has given up ends before the class does: it is not in the next one's database. */
class CallAtTheEndTest {
    private static final AtomicReference<String> DATABASE_OF_THE_CALL = new AtomicReference<>();

    /** Without a scope, so that the tests of this package don't discover it. */
    static class Printer {
        @Resource
        DataSource database;

        void print(@Observes OrderShipped shipped) throws SQLException {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                // takes its time to end
                new CompletableFuture<>()
                        .completeOnTimeout(null, 500, TimeUnit.MILLISECONDS)
                        .join();
            }
            DATABASE_OF_THE_CALL.set(url(database));
        }
    }

    @Test
    void a_call_that_was_given_up_ends_with_its_class() throws Exception {
        String own;
        try (StandaloneOutbox application = start()) {
            own = url((DataSource) new InitialContext().lookup("java:app/jdbc/outbox"));
            OutboxTester outbox = application.get(OutboxTester.class);
            outbox.inTransaction(() -> application.get(Outbox.class).publish(new OrderShipped("o-1")));
            assertThatThrownBy(() -> outbox.drain(Duration.ofSeconds(1)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("Printer.print");
        }
        assertThat(DATABASE_OF_THE_CALL).as("the call has ended").hasValue(own);
    }

    private static String url(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return connection.getMetaData().getURL();
        }
    }

    private StandaloneOutbox start() {
        return StandaloneOutbox.start(getClass(), List.of(Printer.class), List.of());
    }
}
