package io.outboxed.shop;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What must be there before Arquillian starts the server: a free port, and the database of this run. Name it before
 * {@code ArquillianExtension}; {@code arquillian.xml} reads what it sets. Inside the server it does nothing.
 */
public final class Surroundings implements BeforeAllCallback {

    @Override
    public void beforeAll(ExtensionContext context) {
        if (System.getProperty("it.database") != null) {
            TestDatabase database = TestDatabase.ofThisRun(context);
            System.setProperty(
                    "it.jvm.options",
                    String.join(" ", ShopServer.jvmOptions(database)).replace("&", "&amp;"));
            // Arquillian reads its configuration once for all classes, so all servers get the first port
            if (System.getProperty("it.http.port") == null) {
                System.setProperty("it.http.port", Integer.toString(ShopServer.freePort()));
            }
        }
    }

    /** The port of the server that runs now. */
    static int port() {
        return Integer.getInteger("it.http.port");
    }
}
