package io.outboxed.ejb;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.datasource.ConfiguredDataSource;
import io.outboxed.internal.log.OutboxLog;
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
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.ConfigProvider;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Applications with their own drivers, which register themselves with the JDK. */
class ApplicationDriversTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final List<Class<?>> LIBRARIES = List.of(
            OutboxLog.class,
            ConfiguredDataSource.class,
            org.h2.Driver.class,
            com.mysql.cj.jdbc.Driver.class,
            org.postgresql.Driver.class);
    private static final List<Class<?>> MODULE = List.of(ApplicationDrivers.class);

    private final String prefix = "d" + UUID.randomUUID() + ".datasource";

    @AfterEach
    void forget() {
        System.clearProperty(prefix + ".url");
    }

    @Test
    void a_stopped_application_is_not_retained_by_its_drivers() throws Exception {
        assertCollected(this::startAndEndWar);
    }

    /** The EJB jar is a module with a class loader of its own, below that of the libraries. */
    @Test
    void the_libraries_of_a_stopped_ear_are_not_retained_by_their_drivers() throws Exception {
        assertCollected(this::startAndEndEar);
    }

    private static void assertCollected(Callable<ClassLoader> run) throws Exception {
        ReferenceQueue<ClassLoader> collected = new ReferenceQueue<>();
        WeakReference<ClassLoader> application = new WeakReference<>(run.call(), collected);

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
        assertThat(before).isNotEmpty();
        startAndEndWar();
        assertThat(DriverManager.drivers()).containsAll(before);
    }

    private ClassLoader startAndEndWar() throws Exception {
        List<Class<?>> all = Stream.of(LIBRARIES, MODULE).flatMap(List::stream).toList();
        try (Application war = new Application(ApplicationDriversTest.class.getClassLoader(), all)) {
            startAndEnd(war, war);
            return war;
        }
    }

    private ClassLoader startAndEndEar() throws Exception {
        try (Application libraries = new Application(ApplicationDriversTest.class.getClassLoader(), LIBRARIES);
                Application module = new Application(libraries, MODULE)) {
            startAndEnd(libraries, module);
            return libraries;
        }
    }

    private void startAndEnd(Application libraries, Application module) throws Exception {
        System.setProperty(prefix + ".url", "jdbc:h2:mem:" + UUID.randomUUID());
        Class<?> type = libraries.loadClass(ConfiguredDataSource.class.getName());
        DataSource source = (DataSource) type.getConstructor().newInstance();
        type.getMethod("setPrefix", String.class).invoke(source, prefix);
        connect(source);
        Method deregister = module.loadClass(ApplicationDrivers.class.getName()).getDeclaredMethod("deregister");
        deregister.setAccessible(true);
        deregister.invoke(null);
        // a pool may continue for a while
        connect(source);
        // as a server does
        ConfigProviderResolver.instance().releaseConfig(ConfigProvider.getConfig(libraries));
    }

    private static void connect(DataSource source) throws Exception {
        try (Connection connection = source.getConnection()) {
            assertThat(connection.isValid(1)).isTrue();
        }
    }

    /** As a server's class loader for an application: the application's own classes first. */
    private static final class Application extends URLClassLoader {

        private final List<String> prefixes;

        private Application(ClassLoader parent, List<Class<?>> jars) {
            super(jars.stream().map(Application::jar).toArray(URL[]::new), parent);
            prefixes = jars.stream().map(Application::prefix).toList();
        }

        /** Three parts of its package name at most: {@code org.h2.}, {@code com.mysql.cj.}. */
        private static String prefix(Class<?> type) {
            return Stream.of(type.getPackageName().split("\\.")).limit(3).collect(Collectors.joining(".", "", "."));
        }

        private static URL jar(Class<?> type) {
            return type.getProtectionDomain().getCodeSource().getLocation();
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                boolean ours = prefixes.stream().anyMatch(name::startsWith);
                return loaded != null ? loaded : ours ? findClass(name) : super.loadClass(name, resolve);
            }
        }
    }
}
