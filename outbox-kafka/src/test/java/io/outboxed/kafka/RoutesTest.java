package io.outboxed.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.PermanentFailureException;
import io.outboxed.internal.config.TypePatterns;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoutesTest {
    private final Routes routes = new Routes(Map.of(
            "order.*", "orders",
            "order.placed", "placed",
            "order.item.*", "items",
            "crm.*", "crm.{aggregateType}",
            "raw:*", "{type}"));

    @Test
    void a_whole_type_comes_before_the_longest_beginning() {
        assertThat(routes.topicOf(Events.ofType("order.placed"))).contains("placed");
        assertThat(routes.topicOf(Events.ofType("order.item.added"))).contains("items");
        assertThat(routes.topicOf(Events.ofType("order.cancelled"))).contains("orders");
        assertThat(routes.topicOf(Events.ofType("mail.sent"))).isEmpty();
        assertThat(new Routes(Map.of("*", "all", "mail.sent", "mails")).topicOf(Events.ofType("x")))
                .contains("all");
    }

    @Test
    void a_topic_may_depend_on_the_event() {
        assertThat(routes.topicOf(Events.ofType("crm.visit"))).contains("crm.order");
        assertThat(routes.fixedTopics()).containsExactly("items", "orders", "placed");
    }

    @Test
    void a_name_that_kafka_does_not_allow_is_a_permanent_failure() {
        assertThatThrownBy(() -> routes.topicOf(Events.ofType("raw:x")))
                .isInstanceOf(PermanentFailureException.class)
                .hasMessageContaining("OUTBOX-0802 the topic {type} becomes \"raw:x\"");
    }

    @Test
    void patterns_and_topics_are_checked() {
        assertThat(TypePatterns.isPattern("order.*")).isTrue();
        assertThat(TypePatterns.isPattern("*")).isTrue();
        assertThat(TypePatterns.isPattern("*.placed")).isFalse();
        assertThat(TypePatterns.isPattern("order placed")).isFalse();
        assertThat(Routes.isTopic("orders-1_2.x")).isTrue();
        assertThat(Routes.isTopic("{type}.v1")).isTrue();
        assertThat(Routes.isTopic("{typ}")).isFalse();
        assertThat(Routes.isTopic("..")).isFalse();
        assertThat(Routes.isTopic("a b")).isFalse();
    }
}
