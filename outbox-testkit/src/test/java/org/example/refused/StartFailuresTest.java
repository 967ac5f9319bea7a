package org.example.refused;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.testkit.standalone.StandaloneOutbox;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceContext;
import jakarta.persistence.PersistenceUnit;
import java.util.List;
import org.example.sessions.Counting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Applications that can't be started, or that a server would refuse. */
class StartFailuresTest {

    @ApplicationScoped
    static class WithContext {
        @PersistenceContext
        EntityManager em;
    }

    @ApplicationScoped
    static class WithUnit {
        @PersistenceUnit
        EntityManagerFactory units;
    }

    @ApplicationScoped
    static class Bean {}

    @ParameterizedTest
    @ValueSource(classes = {WithContext.class, WithUnit.class})
    void an_injection_point_without_the_name_of_its_unit_is_refused_as_on_payara(Class<?> bean) {
        assertThatThrownBy(() -> start(getClass(), List.of(bean)).close())
                .hasStackTraceContaining(bean.getName())
                .hasStackTraceContaining(
                        "names no persistence unit, and there are [cached, ledger, orders, outbox]: add unitName");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "outbox.datasource.url=jdbc:postgresql://localhost/test",
                "outbox.datasource.user=orders",
                "outbox.datasource.password=secret",
                "outbox.datasource.lookup=java:/jdbc/orders",
                "outbox.datasource.dialect=h2",
                "outbox.schema=verify",
                "outbox.on-success=delete",
                "outbox.history.partition=day",
                "outbox.relay.shards=1-3",
                "outbox.relay.claim=row-lock"
            })
    void a_setting_that_the_kit_decides_is_refused(String setting) {
        String key = setting.substring(0, setting.indexOf('='));
        assertThatThrownBy(() -> StandaloneOutbox.start(getClass(), List.of(Bean.class), List.of(setting))
                        .close())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("\"" + key + "\" in @OutboxTest can't be set: the test kit decides it");
    }

    @Test
    void session_beans_of_the_package_are_named() {
        assertThatThrownBy(() -> start(Counting.class, List.of()).close())
                .hasMessageContaining("WELD-001408")
                .hasMessageContaining("[org.example.sessions.Counter]");
    }

    @Test
    void a_nested_class_with_an_annotation_of_its_own_is_refused() {
        SummaryGeneratingListener summary = new SummaryGeneratingListener();

        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(AnnotatedTwice.class))
                                .build(),
                        summary);

        assertThat(summary.getSummary().getFailures())
                .singleElement()
                .satisfies(failure -> assertThat(failure.getException())
                        .hasMessageContaining("AnnotatedTwice$WithItsOwn has an @OutboxTest of its own"));
    }

    private static StandaloneOutbox start(Class<?> test, List<Class<?>> beans) {
        return StandaloneOutbox.start(test, beans, List.of());
    }
}
