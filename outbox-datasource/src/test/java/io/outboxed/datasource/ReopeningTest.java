package io.outboxed.datasource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** No connection that a pool does not know of stays open. */
class ReopeningTest {
    private final Deque<Connection> opened = new ArrayDeque<>();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    /** The pool may close it while a caller waits for the database. */
    @Test
    void what_its_owner_closes_while_it_is_opened_again_is_closed_too() throws Exception {
        Connection lasting = ReconnectingConnection.of(this::openSlowlyAgain, new AtomicLong());
        opened.peek().close();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread caller = new Thread(() -> {
            try {
                lasting.createStatement();
            } catch (SQLException e) {
                failure.set(e);
            }
        });

        caller.start();
        awaited(asked);
        lasting.close();
        closed.countDown();
        caller.join();

        assertThat(opened).hasSize(2);
        assertThat(opened.peek().isClosed()).isTrue();
        assertThat(failure.get()).as("what the caller gets").isInstanceOf(SQLException.class);
    }

    private Connection openSlowlyAgain() throws SQLException {
        if (!opened.isEmpty()) {
            asked.countDown();
            awaited(closed);
        }
        opened.push(DriverManager.getConnection("jdbc:h2:mem:"));
        return opened.peek();
    }

    private static void awaited(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_new_one_whose_driver_breaks_while_its_settings_are_made_is_closed() throws SQLException {
        Connection lasting = ReconnectingConnection.of(
                () -> {
                    opened.push(DriverManager.getConnection("jdbc:h2:mem:"));
                    return opened.size() == 1 ? opened.peek() : breaking(opened.peek());
                },
                new AtomicLong());
        lasting.setAutoCommit(false);
        opened.peek().close();

        assertThatIllegalStateException().isThrownBy(lasting::createStatement);

        assertThat(opened).hasSize(2);
        assertThat(opened.peek().isClosed()).isTrue();
    }

    private static Connection breaking(Connection real) {
        return (Connection) Proxy.newProxyInstance(
                ReopeningTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("setAutoCommit")) {
                        throw new IllegalStateException("in a test");
                    }
                    return method.invoke(real, arguments);
                });
    }
}
