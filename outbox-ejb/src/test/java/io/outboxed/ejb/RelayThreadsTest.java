package io.outboxed.ejb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.relay.Notifications;
import io.outboxed.internal.relay.node.RelayNode;
import java.util.Hashtable;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server whose factory makes no more threads while the relay takes its own. */
class RelayThreadsTest {
    private static final List<Thread> MADE = new CopyOnWriteArrayList<>();

    private final RelayThreads threads = new RelayThreads();

    public static class Server implements InitialContextFactory {
        @Override
        public Context getInitialContext(Hashtable<?, ?> environment) throws NamingException {
            return new InitialContext(true) {
                @Override
                public Object lookup(String name) {
                    return (ThreadFactory) Server::make;
                }
            };
        }

        private static Thread make(Runnable work) {
            if (MADE.size() == RelayNode.THREADS + Notifications.THREADS + 2) {
                throw new IllegalStateException("no more threads");
            }
            Thread thread = new Thread(work);
            MADE.add(thread);
            return thread;
        }
    }

    @BeforeEach
    void start() {
        MADE.clear();
        System.setProperty(Context.INITIAL_CONTEXT_FACTORY, Server.class.getName());
        threads.config = OutboxConfig.DEFAULTS;
    }

    @AfterEach
    void end() {
        System.clearProperty(Context.INITIAL_CONTEXT_FACTORY);
    }

    @Test
    void if_it_gets_only_some_of_them_those_end_and_nothing_else_fails() throws InterruptedException {
        assertThatThrownBy(threads::open).hasMessage("no more threads");

        for (Thread each : MADE) {
            each.join(30_000);
            assertThat(each.getState()).isEqualTo(Thread.State.TERMINATED);
        }
        assertThatCode(threads::supervise).doesNotThrowAnyException();
        assertThat(threads.executors()).isEmpty();
        assertThatCode(threads::close).doesNotThrowAnyException();
    }
}
