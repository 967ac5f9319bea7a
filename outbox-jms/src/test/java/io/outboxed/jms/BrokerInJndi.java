package io.outboxed.jms;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Starts the shared broker and binds what the settings name; comes before {@code @OutboxTest}. */
final class BrokerInJndi implements BeforeAllCallback {
    static final String QUEUE = "forwarding";
    static final String NOT_CREATED = ArtemisProgram.NOT_CREATED + "forwarding";
    static final String LATE = "java:/jms/queue/late";
    static final String NO_DESTINATION = "java:/jms/cf2";

    @Override
    public void beforeAll(ExtensionContext context) {
        Names.bind(Names.FACTORY, RealArtemis.shared().pool());
        Names.bind(Names.ORDERS, RealArtemis.queue(QUEUE));
        Names.bind(LATE, RealArtemis.queue(NOT_CREATED));
        Names.bind(NO_DESTINATION, RealArtemis.shared().pool());
    }
}
