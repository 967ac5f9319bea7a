package io.outboxed.internal.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DirectConnectionsTest {

    @Test
    void the_relay_connects_to_the_configured_database() throws SQLException {
        System.setProperty("outbox.datasource.url", "jdbc:h2:mem:past-the-pool");

        try (Connection connection = DirectConnections.open().open()) {
            assertThat(connection.getMetaData().getURL()).isEqualTo("jdbc:h2:mem:past-the-pool");
        } finally {
            System.clearProperty("outbox.datasource.url");
        }
    }

    @Test
    void a_url_that_no_jar_reads_is_refused_with_both_ways_out() throws Exception {
        try (URLClassLoader application = applicationWithout("outbox-datasource")) {
            Method open =
                    application.loadClass(DirectConnections.class.getName()).getDeclaredMethod("open");
            open.setAccessible(true);

            assertThatThrownBy(() -> open.invoke(null))
                    .cause()
                    .hasMessageStartingWith("OUTBOX-0320")
                    .hasMessageContaining("Remove outbox.datasource.url")
                    .hasMessageContaining("add the jar, and remove the other definition");
        }
    }

    private static URLClassLoader applicationWithout(String module) {
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        URL[] jars = Arrays.stream(all.split(File.pathSeparator))
                .filter(entry -> !entry.contains(module))
                .map(DirectConnectionsTest::url)
                .toArray(URL[]::new);
        return new URLClassLoader(jars, ClassLoader.getPlatformClassLoader());
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(entry, e);
        }
    }
}
