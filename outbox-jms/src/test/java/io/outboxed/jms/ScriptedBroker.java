package io.outboxed.jms;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.TemporaryQueue;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;

/** A broker whose connections do what a test says, each in its turn; those that follow are good. */
final class ScriptedBroker {
    private static final Runnable GOOD = () -> {};

    private final Deque<Connection> script = new ArrayDeque<>();
    private final AtomicInteger sends = new AtomicInteger();

    /** @param answer to anything else than a send */
    record Connection(Runnable send, Runnable answer, Runnable close) {
        static final Connection STALE = new Connection(fails("stale"), fails("stale"), fails("stale"));
        static final Connection REFUSES = new Connection(fails("refused"), ScriptedBroker.GOOD, ScriptedBroker.GOOD);
        static final Connection IS_GOOD = new Connection(ScriptedBroker.GOOD, ScriptedBroker.GOOD, ScriptedBroker.GOOD);

        static Connection sending(Runnable send) {
            return new Connection(send, ScriptedBroker.GOOD, ScriptedBroker.GOOD);
        }

        static Connection closing(Runnable close) {
            return new Connection(ScriptedBroker.GOOD, ScriptedBroker.GOOD, close);
        }
    }

    ScriptedBroker(Connection... script) {
        this.script.addAll(Arrays.asList(script));
    }

    static Runnable fails(String how) {
        return () -> {
            throw new JMSRuntimeException(how);
        };
    }

    int sends() {
        return sends.get();
    }

    ConnectionFactory factory() {
        return proxy(ConnectionFactory.class, (self, method, arguments) -> context(next()));
    }

    private synchronized Connection next() {
        return script.isEmpty() ? Connection.IS_GOOD : script.remove();
    }

    private JMSContext context(Connection connection) {
        return proxy(JMSContext.class, (self, method, arguments) -> switch (method.getName()) {
            case "createProducer" -> producer(connection);
            case "createTemporaryQueue" -> {
                connection.answer().run();
                yield proxy(TemporaryQueue.class, (queue, delete, none) -> null);
            }
            case "close" -> {
                connection.close().run();
                yield null;
            }
            default -> throw new UnsupportedOperationException(method.toString());
        });
    }

    private JMSProducer producer(Connection connection) {
        return proxy(JMSProducer.class, (self, method, arguments) -> {
            if (isSend(method)) {
                sends.incrementAndGet();
                connection.send().run();
            }
            return self;
        });
    }

    private static boolean isSend(Method method) {
        return method.getName().equals("send");
    }

    static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
