package io.outboxed.internal.testkit.standalone;

import java.util.Hashtable;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.spi.InitialContextFactory;

/** The names that a server would have in JNDI. Public, because the JDK creates it by its name. */
public final class TestNames implements InitialContextFactory {
    private static final Map<String, Object> BOUND = new ConcurrentHashMap<>();

    /** @return restores what was there before */
    static Runnable install(Map<String, Object> names) {
        BOUND.putAll(names);
        String before = System.setProperty(Context.INITIAL_CONTEXT_FACTORY, TestNames.class.getName());
        return () -> {
            BOUND.clear();
            if (before == null) {
                System.clearProperty(Context.INITIAL_CONTEXT_FACTORY);
            } else {
                System.setProperty(Context.INITIAL_CONTEXT_FACTORY, before);
            }
        };
    }

    @Override
    public Context getInitialContext(Hashtable<?, ?> environment) throws NamingException {
        return new InitialContext(true) {
            @Override
            public Object lookup(String name) throws NamingException {
                Object bound = BOUND.get(name);
                if (bound == null) {
                    throw new NameNotFoundException(
                            name + " (the test kit has " + String.join(", ", new TreeSet<>(BOUND.keySet())) + ")");
                }
                return bound;
            }
        };
    }
}
