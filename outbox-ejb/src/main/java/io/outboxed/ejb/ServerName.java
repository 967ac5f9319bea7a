package io.outboxed.ejb;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;
import java.util.Properties;
import java.util.jar.JarInputStream;
import java.util.jar.Manifest;

/** The application server's name, with its version if that can be found. */
@ApplicationScoped
class ServerName {
    private volatile String name;

    void is(ServletContext context) {
        name = describe(context);
    }

    /** Empty until the listener of a web module has told it. */
    Optional<String> get() {
        return Optional.ofNullable(name);
    }

    private static String describe(ServletContext context) {
        String server = context.getServerInfo();
        try {
            String liberty = liberty();
            if (!liberty.isEmpty()) {
                return liberty;
            }
            // Payara reports only its name
            return server.matches(".*\\d.*") ? server : server + " " + bundleVersion(context.getClass());
        } catch (IOException | RuntimeException e) {
            // a missing version must not fail the start
            return server;
        }
    }

    /** Liberty's servlet container reports its own name instead of the server's. */
    private static String liberty() throws IOException {
        String home = System.getProperty("wlp.install.dir", "");
        Path product = Path.of(home, "lib", "versions", "openliberty.properties");
        if (home.isEmpty() || !Files.isReadable(product)) {
            return "";
        }
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(product)) {
            properties.load(in);
        }
        return properties.getProperty("com.ibm.websphere.productName", "Open Liberty") + " "
                + properties.getProperty("com.ibm.websphere.productVersion", "");
    }

    private static String bundleVersion(Class<?> ofServer) throws IOException {
        CodeSource source = ofServer.getProtectionDomain().getCodeSource();
        URL jar = source == null ? null : source.getLocation();
        if (jar == null) {
            return "";
        }
        try (JarInputStream in = new JarInputStream(jar.openStream())) {
            Manifest manifest = in.getManifest();
            String version =
                    manifest == null ? null : manifest.getMainAttributes().getValue("Bundle-Version");
            return version == null ? "" : version;
        }
    }
}
