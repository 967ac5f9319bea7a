package io.outboxed.internal.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
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
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DirectConnectionsTest {

    @Test
    void the_relay_connects_to_the_configured_database() throws SQLException {
        System.setProperty("outbox.datasource.url", "jdbc:h2:mem:past-the-pool");

        try (Connection connection =
                DirectConnections.bypassing(new JdbcDataSource()).open()) {
            assertThat(connection.getMetaData().getURL()).isEqualTo("jdbc:h2:mem:past-the-pool");
        } finally {
            System.clearProperty("outbox.datasource.url");
        }
    }

    @ParameterizedTest
    @CsvSource({"outbox.datasource.url,jdbc:h2:mem:unused", "outbox.datasource.lookup,jdbc/main"})
    void a_database_that_no_jar_reads_is_refused_with_both_ways_out(String key, String value) throws Exception {
        System.setProperty(key, value);
        try (URLClassLoader application = applicationWithout("outbox-datasource")) {
            assertThatThrownBy(() -> connectionsIn(application))
                    .cause()
                    .hasMessageStartingWith("OUTBOX-0320 " + key + " is set, but the jar outbox-datasource")
                    .hasMessageContaining("Remove " + key)
                    .hasMessageContaining("add the jar, and remove the other definition");
        } finally {
            System.clearProperty(key);
        }
    }

    @Test
    void without_either_no_jar_is_missed() throws Exception {
        try (URLClassLoader application = applicationWithout("outbox-datasource")) {
            assertThatCode(() -> connectionsIn(application)).doesNotThrowAnyException();
        }
    }

    private static void connectionsIn(ClassLoader application) throws ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(application);
        try {
            Method bypassing = application
                    .loadClass(DirectConnections.class.getName())
                    .getDeclaredMethod("bypassing", DataSource.class);
            bypassing.setAccessible(true);
            bypassing.invoke(null, new JdbcDataSource());
        } finally {
            thread.setContextClassLoader(before);
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
