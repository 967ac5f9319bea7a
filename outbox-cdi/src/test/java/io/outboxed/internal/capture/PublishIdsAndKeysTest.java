package io.outboxed.internal.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outboxed.PublishOptions;
import io.outboxed.internal.capture.CaptureFixture.Placed;
import io.outboxed.internal.capture.CaptureFixture.Tick;
import io.outboxed.internal.hibernate.OutboxRow;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PublishIdsAndKeysTest {

    private final CaptureFixture door = new CaptureFixture();

    @Test
    void of_several_events_of_a_type_with_one_key_the_first_is_stored_and_each_call_returns_its_id() {
        PublishOptions paid = PublishOptions.none().key("invoice 7");
        door.transaction.begin();
        UUID first = door.outbox.publish(new Tick(1), paid);
        UUID again = door.outbox.publish(new Tick(2), paid);
        UUID otherKey = door.outbox.publish(new Tick(3), paid.key("invoice 8"));
        UUID otherType = door.outbox.publish(new Tick(4), paid.type("tock"));
        UUID noKey = door.outbox.publish(new Tick(5), paid.key(null));
        door.transaction.commit();

        assertThat(again).isEqualTo(first);
        assertThat(door.written).extracting(OutboxRow::id).containsExactly(first, otherKey, otherType, noKey);
    }

    @Test
    void an_event_whose_key_the_transaction_has_silently_lost_is_not_written() {
        door.transaction.begin();
        door.outbox.publish(new Tick(1), PublishOptions.none().key("invoice 7"));
        door.firstCalls.clear();

        assertThatThrownBy(door.transaction::commit).hasMessageStartingWith("OUTBOX-0148");
        assertThat(door.written).isEmpty();
    }

    @Test
    void the_callers_id_is_used_whatever_its_version() {
        for (UUID id : List.of(
                UUID.randomUUID(),
                UUID.nameUUIDFromBytes(new byte[] {1}),
                UUID.fromString("6ba7b810-9dad-11d1-80b4-00c04fd430c8"),
                new UUID(0, 0))) {
            door.transaction.begin();
            assertThat(door.outbox.publish(new Tick(1), PublishOptions.none().id(id)))
                    .isEqualTo(id);
            door.transaction.commit();
            assertThat(door.written.get(door.written.size() - 1).id()).isEqualTo(id);
        }
    }

    @Test
    void an_id_that_was_published_before_is_refused_and_the_transaction_continues() {
        PublishOptions given = PublishOptions.none().id(UUID.randomUUID());
        door.transaction.begin();
        door.outbox.publish(new Tick(1), given);
        assertThatThrownBy(() -> door.outbox.publish(new Tick(2), given))
                .as("in the same transaction")
                .hasMessageStartingWith("OUTBOX-0145 an event with the id " + given.id());
        door.transaction.commit();
        door.written.clear();

        door.refused(new Placed("o-1", null), given, "OUTBOX-0145")
                .as("delivered since, and of another type")
                .hasMessageContaining("order.placed");
        door.transaction.begin();
        assertThatThrownBy(() -> door.outbox.publish(new Tick(1), given)).hasMessageStartingWith("OUTBOX-0145");
        door.outbox.publish(new Tick(3));
        door.transaction.commit();
        assertThat(door.written).extracting(OutboxRow::payload).containsExactly("{\"n\":3}");
    }

    @Test
    void the_id_of_an_event_that_is_yet_to_be_written_is_refused_although_it_was_not_given() {
        door.transaction.begin();
        UUID made = door.outbox.publish(new Tick(1));
        UUID withKey = door.outbox.publish(new Tick(2), PublishOptions.none().key("invoice 7"));
        for (UUID id : List.of(made, withKey)) {
            assertThatThrownBy(() -> door.outbox.publish(
                            new Tick(3), PublishOptions.none().id(id)))
                    .hasMessageStartingWith("OUTBOX-0145");
        }
        door.transaction.commit();
        assertThat(door.written).extracting(OutboxRow::id).containsExactly(made, withKey);
    }

    @Test
    void the_id_of_an_event_that_is_still_stored_is_refused_even_if_it_is_no_longer_remembered() {
        OutboxRow made = door.stored(new Tick(1));

        door.refused(new Tick(1), PublishOptions.none().id(made.id()), "OUTBOX-0145");
    }

    @Test
    void an_id_and_a_key_together_are_refused() {
        door.refused(new Tick(1), PublishOptions.none().id(UUID.randomUUID()).key("k"), "OUTBOX-0146")
                .hasMessageContaining("tick");
    }
}
