package io.outboxed.it.capture;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;

/** What is specific to the server of this run, from {@code servers/<server>.properties}. */
public final class ThisServer {
    public static final String FILE = "this-server.properties";

    private ThisServer() {}

    /** The file of the server that the build names; for the side of the test that deploys. */
    public static String resource() {
        return "servers/" + System.getProperty("it.server") + ".properties";
    }

    /** For the side that deploys and sends requests. */
    public static String property(String name) {
        return read("/" + resource()).getProperty(name);
    }

    static String provider() {
        return property("provider");
    }

    /** A part of the names of the threads that call handlers; for the side inside the server. */
    public static String handlerThreads() {
        return read("/" + FILE).getProperty("handler-threads");
    }

    /** The classes of what the caller of a failed commit sees, the outermost first; for the side inside the server. */
    static List<String> exceptionsOfAFailedCommit(String kindOfTransaction) {
        return List.of(read("/" + FILE).getProperty(kindOfTransaction).split(" "));
    }

    private static Properties read(String resource) {
        try (InputStream in = ThisServer.class.getResourceAsStream(resource)) {
            Properties properties = new Properties();
            properties.load(in);
            return properties;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
