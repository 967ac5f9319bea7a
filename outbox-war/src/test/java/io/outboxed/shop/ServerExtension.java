package io.outboxed.shop;

import io.outboxed.servers.ApplicationServer;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Store;

/**
 * What must be there before Arquillian starts the server: the server's own files with free ports, and the database of
 * this run. Put it before {@code ArquillianExtension}, since {@code arquillian.xml} reads what it sets. Inside the
 * server it does nothing.
 */
public final class ServerExtension implements BeforeAllCallback, AfterAllCallback {
    private static final String HEALTH_PORT = "it.health.port";

    @Override
    public void beforeAll(ExtensionContext context) {
        if (isOutside()) {
            LaidOut.of(context);
            OneServer.handBack(context);
        }
    }

    /** After that of the extension behind. */
    @Override
    public void afterAll(ExtensionContext context) {
        if (isOutside()) {
            OneServer.keep(context);
        }
    }

    private static boolean isOutside() {
        return System.getProperty("it.database") != null;
    }

    /** The port of the server that runs now. */
    static int port() {
        return Integer.getInteger("it.adapter.httpPort");
    }

    /** The probes of the server that runs now. */
    static Health health() {
        return Health.at(Integer.getInteger(HEALTH_PORT));
    }

    /** Once for all classes, since Arquillian reads its configuration once. */
    private record LaidOut(ApplicationServer server) implements Store.CloseableResource, AutoCloseable {

        static LaidOut of(ExtensionContext context) {
            TestDatabase database = TestDatabase.ofThisRun(context);
            return OneServer.store(context, ServerExtension.class)
                    .getOrComputeIfAbsent("server", key -> layOut(database), LaidOut.class);
        }

        private static LaidOut layOut(TestDatabase database) {
            ApplicationServer server = ApplicationServer.of(ServerUnderTest.of("arquillian", database));
            // arquillian.xml takes the values as they are
            server.layOut()
                    .forEach((name, value) -> System.setProperty("it.adapter." + name, value.replace("&", "&amp;")));
            System.setProperty(HEALTH_PORT, Integer.toString(server.healthPort()));
            return new LaidOut(server);
        }

        @Override
        public void close() {
            server.close();
        }
    }
}
