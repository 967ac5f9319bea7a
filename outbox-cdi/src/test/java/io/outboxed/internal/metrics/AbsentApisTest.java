package io.outboxed.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig.MetricsApi;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that has none of the metrics APIs. */
class AbsentApisTest {

    /** Loads the library's classes itself and finds none of the three APIs. */
    private static final class BareServer extends ClassLoader {
        private static final List<String> ABSENT =
                List.of("org.eclipse.microprofile.metrics.", "io.micrometer.", "io.opentelemetry.");

        private BareServer() {
            super(AbsentApisTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (ABSENT.stream().anyMatch(name::startsWith)) {
                throw new ClassNotFoundException(name + " is not on this server");
            }
            if (!name.startsWith("io.outboxed.internal.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MP_METRICS", "MICROMETER", "OPENTELEMETRY"})
    void a_configured_api_that_is_missing_is_reported_and_the_outbox_continues(MetricsApi wanted) throws Exception {
        try (CapturedLog log = new CapturedLog()) {
            assertThat(chosen(wanted)).isEqualTo("nothing is measured, and it works");

            assertThat(log.lines)
                    .singleElement()
                    .asString()
                    .startsWith("WARNING OUTBOX-0690")
                    .contains("NoClassDefFoundError");
        }
    }

    @Test
    void auto_finds_nothing_and_does_not_complain() throws Exception {
        try (CapturedLog log = new CapturedLog()) {
            assertThat(chosen(MetricsApi.AUTO)).isEqualTo("nothing is measured, and it works");

            assertThat(log.lines).singleElement().asString().startsWith("INFO OUTBOX-0601 metrics go to none");
        }
    }

    /** CDI reflects on all members of a bean class; a missing type would fail the deployment. */
    @Test
    void the_bean_class_exposes_no_absent_type() throws Exception {
        Class<?> bean = new BareServer().loadClass(MetersBean.class.getName());

        assertThat(bean.getDeclaredMethods()).isNotEmpty();
        assertThat(bean.getDeclaredFields()).isNotEmpty();
        assertThat(bean.getDeclaredConstructors()).isNotEmpty();
    }

    private static String chosen(MetricsApi wanted) throws Exception {
        BareServer server = new BareServer();
        Class<?> probe = server.loadClass(Probe.class.getName());
        assertThat(probe.getClassLoader()).isSameAs(server);
        return (String) probe.getMethod("choose", String.class).invoke(null, wanted.name());
    }

    /** What a deployment does first; runs in the class loader of the bare server. */
    public static final class Probe {
        private Probe() {}

        public static String choose(String wanted) {
            var backend = new MetricsChoice(null).choose(MetricsApi.valueOf(wanted));
            var meters = new OutboxMeters(backend, "shop", true);
            meters.stored("placed");
            meters.deliveries("placed", "ship").lag(1);
            meters.showNode();
            meters.hideNode();
            return backend == MetricsBackend.NONE ? "nothing is measured, and it works" : backend.toString();
        }
    }
}
