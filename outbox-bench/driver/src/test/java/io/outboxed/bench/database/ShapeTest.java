package io.outboxed.bench.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShapeTest {
    private record Message(long aggregate, String payload) {}

    @Test
    void each_run_has_the_same_messages_of_the_requested_size() throws Exception {
        Shape shape = Shape.of(Shape.TICK, 200, 20);
        List<Message> messages = messages(shape);

        assertThat(messages).hasSize(200).isEqualTo(messages(shape)).allSatisfy(message -> {
            assertThat(message.payload()).hasSize(Shape.USUAL_BYTES);
            assertThat(message.aggregate()).isBetween(1L, 20L);
            assertThat(message.payload()).startsWith("{\"aggregate\":" + message.aggregate() + ",");
        });
    }

    @Test
    void a_hot_aggregate_has_its_share() throws Exception {
        List<Message> messages = messages(Shape.of(Shape.TICK, 1000, 20).withHotAggregate(50));

        assertThat(messages.stream().filter(message -> message.aggregate() == 0).count())
                .isBetween(400L, 600L);
    }

    @Test
    void one_message_in_a_hundred_is_poison_and_spread_over_the_aggregates() throws Exception {
        Shape shape = Shape.of(Shape.SPOILED, 10_000, 1_000);

        List<Message> poison = messages(shape).stream()
                .filter(message -> message.payload().endsWith("\"text\":\"poison\"}"))
                .toList();

        assertThat(poison).hasSize(100);
        assertThat(poison.stream().map(Message::aggregate).distinct()).hasSizeGreaterThan(90);
    }

    private static List<Message> messages(Shape shape) throws Exception {
        List<Message> messages = new ArrayList<>();
        shape.forEach((number, aggregate, payload) -> messages.add(new Message(aggregate, payload)));
        return messages;
    }
}
