package io.outboxed.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.metrics.CapturedLog;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConfigExtensionTest {

    @AfterEach
    void forget() {
        System.clearProperty("outbox.handler.down-after");
        System.clearProperty("outbox.lease");
        System.clearProperty("outbox.inbox.retention");
    }

    @Test
    void a_wrong_setting_fails_the_deployment() {
        System.setProperty("outbox.handler.down-after", "-1");
        System.setProperty("outbox.lease", "soon");

        assertThatThrownBy(() -> weld().initialize().close())
                .hasMessageContaining("OUTBOX-0200 2 settings are wrong")
                .hasMessageContaining("outbox.handler.down-after: expected 0..1000, got -1 (from SysPropConfigSource")
                .hasMessageContaining("outbox.lease: expected 1s..10m, got soon");
    }

    @Test
    void an_inbox_that_forgets_too_early_is_warned_of_and_fails_nothing() {
        System.setProperty("outbox.inbox.retention", "1m");

        try (CapturedLog log = new CapturedLog();
                WeldContainer container = weld().initialize()) {
            assertThat(container.isRunning()).isTrue();
            assertThat(log.lines)
                    .anyMatch(line -> line.contains("OUTBOX-0294 outbox.inbox.retention (1m) is not longer than"));
        }
    }

    @Test
    void what_is_set_can_be_injected() {
        System.setProperty("outbox.lease", "7s");

        try (WeldContainer container = weld().initialize()) {
            assertThat(container.select(OutboxConfig.class).get().relay().lease())
                    .hasSeconds(7);
        }
    }

    private static Weld weld() {
        return new Weld().disableDiscovery().extensions(new ConfigExtension()).addBeanClass(OutboxConfigBean.class);
    }
}
