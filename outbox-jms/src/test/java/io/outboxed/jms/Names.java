package io.outboxed.jms;

import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactory;
import javax.naming.spi.InitialContextFactoryBuilder;
import javax.naming.spi.NamingManager;

/** JNDI without a server: what a test binds is found by all threads, besides the names of the test kit. */
final class Names implements InitialContextFactoryBuilder {
    static final String FACTORY = "java:/jms/cf";
    static final String ORDERS = "java:/jms/queue/orders";

    private static final Map<String, Object> BOUND = new ConcurrentHashMap<>();

    /** @param value an error or exception is thrown by the look-up */
    static synchronized void bind(String name, Object value) {
        if (!NamingManager.hasInitialContextFactoryBuilder()) {
            try {
                NamingManager.setInitialContextFactoryBuilder(new Names());
            } catch (NamingException e) {
                throw new IllegalStateException(e);
            }
        }
        BOUND.put(name, value);
    }

    @Override
    public InitialContextFactory createInitialContextFactory(Hashtable<?, ?> environment) {
        return ignored -> new InitialContext(true) {
            @Override
            public Object lookup(String name) throws NamingException {
                Object bound = BOUND.get(name);
                if (bound instanceof Error failure) {
                    throw failure;
                }
                if (bound instanceof RuntimeException failure) {
                    throw failure;
                }
                return bound != null ? bound : lookUpElsewhere(name, environment);
            }
        };
    }

    private static Object lookUpElsewhere(String name, Hashtable<?, ?> environment) throws NamingException {
        Object other = environment.get(Context.INITIAL_CONTEXT_FACTORY);
        if (other == null) {
            throw new NameNotFoundException(name);
        }
        try {
            InitialContextFactory factory = (InitialContextFactory)
                    Class.forName(other.toString()).getDeclaredConstructor().newInstance();
            return factory.getInitialContext(environment).lookup(name);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
