package io.outboxed.internal.relay.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.internal.config.OutboxConfig;
import io.outboxed.internal.store.Resolution;
import io.outboxed.spi.FailureClassifier.Verdict;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailurePolicyTest {
    private static final OutboxConfig CONFIG = OutboxConfig.DEFAULTS;

    private final FailurePolicy policy = policy(CONFIG);

    /** Defaults: 10 tries, 1 s doubled up to 10 min, deferred by 5 s. */
    @ParameterizedTest
    @CsvSource({
        "RETRY, 0, false, Retry[1 after 1000 ms]",
        "RETRY, 1, false, Retry[2 after 2000 ms]",
        "RETRY, 8, false, Retry[9 after 256000 ms]",
        "RETRY, 9, false, Dead[10]",
        "RETRY, 9, true, Retry[9 after 5000 ms]",
        "RETRY, 0, true, Retry[0 after 5000 ms]",
        "DEFER, 0, false, Retry[0 after 5000 ms]",
        "DEFER, 9, false, Retry[9 after 5000 ms]",
        "DEAD, 0, false, Dead[1]",
        "DEAD, 4, true, Dead[5]",
    })
    void a_failure_leads_to(Verdict kind, int attemptsBefore, boolean handlerIsDown, String expected) {
        Resolution resolution = policy.resolve(failure(attemptsBefore), kind, handlerIsDown);

        assertThat(describe(resolution)).isEqualTo(expected);
        assertThat(resolution.handler()).isEqualTo("mail");
        assertThat(resolution.group()).isEqualTo("Mailer");
        assertThat(resolution.error()).isEqualTo("refused");
    }

    @Test
    void where_the_order_is_kept_the_last_failure_blocks() {
        FailurePolicy blocking = policy(CONFIG.withDeadLetters(new OutboxConfig.DeadLetters(true, Map.of())));

        assertThat(blocking.resolve(failure(9), Verdict.RETRY, false)).isInstanceOf(Resolution.Blocked.class);
        assertThat(blocking.dead("placed", "mail", "Mailer", 3, "its node died"))
                .isInstanceOf(Resolution.Blocked.class);
    }

    @Test
    void whether_it_blocks_is_decided_by_the_handlers_setting_then_by_its_types_then_by_the_general_one() {
        FailurePolicy mixed = policy(CONFIG.withDeadLetters(
                new OutboxConfig.DeadLetters(true, Map.of("placed", false, "Ledger.book", true))));

        assertThat(mixed.dead("placed", "mail", "Mailer", 1, "")).isInstanceOf(Resolution.Dead.class);
        assertThat(mixed.dead("placed", "Ledger.book", "Ledger", 1, "")).isInstanceOf(Resolution.Blocked.class);
        assertThat(mixed.dead("cancelled", "mail", "Mailer", 1, "")).isInstanceOf(Resolution.Blocked.class);
    }

    private static FailurePolicy.Failure failure(int attemptsBefore) {
        return new FailurePolicy.Failure("placed", "mail", "Mailer", attemptsBefore, "refused");
    }

    private static String describe(Resolution resolution) {
        if (resolution instanceof Resolution.Retry retry) {
            return "Retry[" + retry.attempts() + " after " + retry.delayMicros() / 1000 + " ms]";
        }
        return resolution.getClass().getSimpleName() + "[" + resolution.attempts() + "]";
    }

    private static FailurePolicy policy(OutboxConfig config) {
        return new FailurePolicy(
                config, () -> 1, new DeferralPacing(config.handler().deferDelay(), () -> 0, () -> 0));
    }
}
