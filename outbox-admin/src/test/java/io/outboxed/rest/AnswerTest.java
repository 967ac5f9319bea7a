package io.outboxed.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.admin.EventContent;
import io.outboxed.admin.NodeStatus;
import io.outboxed.admin.OutboxStatus;
import io.outboxed.admin.Pause;
import io.outboxed.admin.PauseTarget;
import io.outboxed.admin.StoredEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The JSON that clients rely on. */
class AnswerTest {
    private static final UUID ID = new UUID(1, 2);
    private static final Instant AT = Instant.parse("2026-01-31T12:00:00.000001Z");

    @Test
    void a_page_of_dead_letters() {
        DeadLetter letter =
                new DeadLetter(ID, "order.placed", "", "", "order-mail", "mail", 5, "<b>boom", AT, AT, false);

        assertThat(Answer.json(new DeadLetters.Page(List.of(letter), null)))
                .isEqualTo("{\"letters\":[{\"aggregateId\":\"\",\"aggregateType\":\"\",\"attempts\":5,"
                        + "\"blocking\":false,\"createdAt\":\"2026-01-31T12:00:00.000001Z\","
                        + "\"diedAt\":\"2026-01-31T12:00:00.000001Z\",\"error\":\"<b>boom\","
                        + "\"handler\":\"order-mail\",\"handlerGroup\":\"mail\","
                        + "\"messageId\":\"00000000-0000-0001-0000-000000000002\",\"type\":\"order.placed\"}],"
                        + "\"next\":null}");
    }

    @Test
    void a_status_with_a_node_and_a_pause() {
        OutboxStatus status = new OutboxStatus(
                AT,
                1,
                2,
                3,
                4,
                OutboxStatus.MAX_COUNT,
                List.of("dead"),
                6,
                Duration.ofSeconds(90),
                List.of(new NodeStatus("n-1", "shop-1", Duration.ofMillis(250), 64, 3)),
                64,
                0,
                List.of(new Pause(PauseTarget.handler("order-mail"), AT, "ada", "mail is down")));

        assertThat(Answer.json(status))
                .contains("\"dead\":100000", "\"atLeast\":[\"dead\"]")
                .contains("\"oldestAge\":\"PT1M30S\"")
                .contains("\"silence\":\"PT0.25S\"")
                .contains("\"target\":{\"kind\":\"HANDLER\",\"name\":\"order-mail\"}");
    }

    @Test
    void an_event_has_nothing_but_its_parts() {
        StoredEvent event = new StoredEvent(ID, List.of(), List.of(), List.of(), List.of(AT));

        assertThat(Answer.json(event))
                .isEqualTo("{\"deadLetters\":[],\"deliveries\":[],"
                        + "\"id\":\"00000000-0000-0001-0000-000000000002\",\"messages\":[],"
                        + "\"processedAt\":[\"2026-01-31T12:00:00.000001Z\"]}");
    }

    @Test
    void bytes_are_base64() {
        assertThat(Answer.json(new EventContent(null, null, new byte[] {1, 2, 3})))
                .isEqualTo("{\"bytes\":\"AQID\",\"headers\":null,\"text\":null}");
    }
}
