package io.outboxed.jms;

import java.util.Locale;
import java.util.Set;

/** The keys under {@code outbox.jms} and their defaults. */
final class JmsKeys {
    static final String PREFIX = "outbox.jms.";
    static final String ROUTE_PREFIX = PREFIX + "route.";
    static final String CONNECTION_FACTORY = PREFIX + "connection-factory";
    static final String SOURCE = PREFIX + "source";
    static final String UNROUTED = PREFIX + "unrouted";

    /** Every server with the whole platform has it. */
    static final String DEFAULT_CONNECTION_FACTORY = "java:comp/DefaultJMSConnectionFactory";

    static final String DEFAULT_SOURCE = "/outbox";
    static final String DEAD_LETTER = "dead-letter";
    static final String SKIP = "skip";

    private static final Set<String> ALL =
            Set.of(environmentForm(CONNECTION_FACTORY), environmentForm(SOURCE), environmentForm(UNROUTED));

    private JmsKeys() {}

    /** An environment variable may be listed with dots for all its underscores. */
    static boolean isKnown(String name) {
        return name.startsWith(ROUTE_PREFIX) || ALL.contains(environmentForm(name));
    }

    private static String environmentForm(String name) {
        return name.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }
}
