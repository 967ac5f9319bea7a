package io.outboxed.ejb;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.datasource.ConfiguredDataSource;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Applications with their own drivers, which register themselves with the JDK. */
class ApplicationDriversTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final List<Class<?>> OURS = List.of(
            ApplicationDrivers.class,
            ConfiguredDataSource.class,
            org.h2.Driver.class,
            com.mysql.cj.jdbc.Driver.class,
            org.postgresql.Driver.class);

    private final String prefix = "d" + UUID.randomUUID() + ".datasource";

    @AfterEach
    void forget() {
        System.clearProperty(prefix + ".url");
    }

    @Test
    void a_stopped_application_is_not_retained_by_its_drivers() throws Exception {
        ReferenceQueue<ClassLoader> collected = new ReferenceQueue<>();
        WeakReference<ClassLoader> application = new WeakReference<>(startAndEnd(), collected);

        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (collected.remove(100) == null) {
            assertThat(System.nanoTime())
                    .as("the application %s is collected", application.get())
                    .isLessThan(deadline);
            System.gc();
        }
    }

    @Test
    void drivers_of_other_applications_stay() throws Exception {
        List<Driver> before = DriverManager.drivers().toList();
        startAndEnd();
        assertThat(DriverManager.drivers()).containsAll(before);
    }

    private ClassLoader startAndEnd() throws Exception {
        System.setProperty(prefix + ".url", "jdbc:h2:mem:" + UUID.randomUUID());
        try (Application application = new Application()) {
            Class<?> type = application.loadClass(ConfiguredDataSource.class.getName());
            DataSource source = (DataSource) type.getConstructor().newInstance();
            type.getMethod("setPrefix", String.class).invoke(source, prefix);
            connect(source);
            Method deregister =
                    application.loadClass(ApplicationDrivers.class.getName()).getDeclaredMethod("deregister");
            deregister.setAccessible(true);
            deregister.invoke(null);
            // a pool may continue for a while
            connect(source);
            // as a server does
            ConfigProviderResolver.instance().releaseConfig(ConfigProvider.getConfig(application));
            return application;
        }
    }

    private static void connect(DataSource source) throws Exception {
        try (Connection connection = source.getConnection()) {
            assertThat(connection.isValid(1)).isTrue();
        }
    }

    /** As a server's class loader for an application: the application's own classes first. */
    private static final class Application extends URLClassLoader {

        private Application() {
            super(
                    OURS.stream().map(Application::jar).toArray(URL[]::new),
                    ApplicationDriversTest.class.getClassLoader());
        }

        private static URL jar(Class<?> type) {
            return type.getProtectionDomain().getCodeSource().getLocation();
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                boolean ours = Stream.of(
                                "org.h2.",
                                "com.mysql.",
                                "org.postgresql.",
                                "io.outboxed.datasource.",
                                "io.outboxed.ejb.")
                        .anyMatch(name::startsWith);
                return loaded != null ? loaded : ours ? findClass(name) : super.loadClass(name, resolve);
            }
        }
    }
}
