package io.outboxed.internal.config;

import static io.outboxed.internal.config.GivenSettings.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.internal.config.OutboxConfig.Retry;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which policy applies to a type or handler. */
class PolicyOverridesTest {

    @Test
    void a_policy_of_a_type_or_handler_inherits_the_rest_from_the_general_one() {
        OutboxConfig config = read(Map.of(
                "outbox.retry.max-attempts", "4",
                "outbox.retry.\"order.placed\".max-attempts", "7",
                "outbox.retry.\"order.placed\".jitter", "false",
                "outbox.retry.mailer.initial-delay", "5s",
                "outbox.retry.\"Warehouse.ship\".multiplier", "3"));

        assertThat(config.retries().overrides().keySet())
                .containsExactlyInAnyOrder("order.placed", "mailer", "Warehouse.ship");
        assertThat(config.retryFor("order.placed", "any"))
                .isEqualTo(new Retry(7, Duration.ofSeconds(1), 2, Duration.ofMinutes(10), false));
        assertThat(config.retryFor("order.placed", "mailer"))
                .isEqualTo(new Retry(4, Duration.ofSeconds(5), 2, Duration.ofMinutes(10), true));
        assertThat(config.retryFor("other", "Warehouse.ship").multiplier()).isEqualTo(3);
        assertThat(config.retryFor("other", "other").maxAttempts()).isEqualTo(4);
    }

    @Test
    void of_two_spellings_the_one_in_the_stronger_source_applies() {
        String quoted = "outbox.retry.\"mailer\".max-attempts";
        String plain = "outbox.retry.mailer.max-attempts";

        assertThat(attemptsOfMailer(Map.of(quoted, "5"), Map.of(plain, "9"))).isEqualTo(9);
        assertThat(attemptsOfMailer(Map.of(plain, "9"), Map.of(quoted, "5"))).isEqualTo(5);
        assertThat(attemptsOfMailer(Map.of(), Map.of(quoted, "5", plain, "9")))
                .as("both in one source")
                .isEqualTo(5);
    }

    private static int attemptsOfMailer(Map<String, String> file, Map<String, String> systemProperties) {
        return OutboxConfigReader.read(new SmallRyeConfigBuilder()
                        .withSources(
                                new PropertiesConfigSource(file, "a file", 100),
                                new PropertiesConfigSource(systemProperties, "system properties", 400))
                        .build())
                .retryFor("any", "mailer")
                .maxAttempts();
    }

    @Test
    void whether_dead_letters_block_can_differ_for_a_type_and_for_a_handler() {
        OutboxConfig config = read(Map.of(
                "outbox.dead-letter.\"order.placed\".order", "block",
                "outbox.dead-letter.mailer.order", "skip"));

        assertThat(config.deadLetters())
                .isEqualTo(new OutboxConfig.DeadLetters(false, Map.of("order.placed", true, "mailer", false)));
        assertThat(config.blocksOnDeadLetter("order.placed", "any")).isTrue();
        assertThat(config.blocksOnDeadLetter("order.placed", "mailer")).isFalse();
        assertThat(config.blocksOnDeadLetter("other", "any")).isFalse();
        assertThat(config.retries().overrides()).isEmpty();
        assertThatThrownBy(() -> read(Map.of("outbox.dead-letter.mailer.order", "stop")))
                .hasMessageContaining("outbox.dead-letter.mailer.order: expected skip|block, got stop");
    }

    @Test
    void a_policy_for_a_name_that_does_not_exist_is_reported_with_the_closest_one() {
        OutboxConfig config = read(Map.of(
                "outbox.retry.\"order.plased\".max-attempts", "7",
                "outbox.retry.mailer.max-attempts", "7",
                "outbox.dead-letter.\"Mailer.mial\".order", "block"));

        assertThat(UnmatchedNames.in(config, List.of("order.placed", "mailer", "Mailer.mail")))
                .containsExactly(
                        "outbox.retry.\"order.plased\" applies to nothing: this deployment handles no event type and"
                                + " has no handler of that name; the closest one is order.placed",
                        "outbox.dead-letter.\"Mailer.mial\" applies to nothing: this deployment handles no event type"
                                + " and has no handler of that name; the closest one is Mailer.mail");
        assertThat(UnmatchedNames.in(config, List.of()))
                .hasSize(3)
                .allMatch(sentence -> sentence.endsWith("has no handler of that name"));
    }

    @Test
    void where_any_type_may_come_only_names_that_resemble_a_handlers_are_reported() {
        OutboxConfig config = read(Map.of(
                "outbox.retry.\"Mailer.sent\".max-attempts", "7",
                "outbox.retry.mailr.max-attempts", "7",
                "outbox.retry.\"Mailer.mail\".max-attempts", "7",
                "outbox.retry.\"order.placed\".max-attempts", "7",
                "outbox.dead-letter.\"Order.placed\".order", "block"));

        assertThat(UnmatchedNames.ofHandlersIn(config, List.of("mailer", "Mailer.mail", "order.forward")))
                .containsExactly(
                        "outbox.retry.\"Mailer.sent\" applies to no handler: there is none of that name; the closest one"
                                + " is Mailer.mail",
                        "outbox.retry.\"mailr\" applies to no handler: there is none of that name; the closest one is"
                                + " mailer");
        assertThat(UnmatchedNames.ofHandlersIn(config, List.of())).isEmpty();
    }
}
