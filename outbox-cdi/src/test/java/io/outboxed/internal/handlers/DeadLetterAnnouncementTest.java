package io.outboxed.internal.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.outboxed.DeadLetter;
import io.outboxed.DeadLetters;
import io.outboxed.admin.DeadLetterFilter;
import io.outboxed.internal.metrics.CapturedLog;
import io.outboxed.internal.relay.SilentLog;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.RequestScoped;
import jakarta.enterprise.event.Observes;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who is told of a dead letter, and what becomes of one that can not be read. */
@ExtendWith(SilentLog.class)
class DeadLetterAnnouncementTest {

    @ApplicationScoped
    static class Alarm {
        void died(@Observes DeadLetter letter) {}
    }

    @ApplicationScoped
    static class Protocol {
        void note(@Observes Record anything) {}
    }

    @ApplicationScoped
    static class Unconcerned {
        void note(@Observes Integer number) {}
    }

    @ApplicationScoped
    static class Failing {
        private final List<DeadLetter> seen = new ArrayList<>();

        void died(@Observes DeadLetter letter) {
            seen.add(letter);
            throw new IllegalStateException("the observer fails");
        }

        List<DeadLetter> seen() {
            return seen;
        }
    }

    @RequestScoped
    static class Pager {
        static final List<UUID> CALLED = new ArrayList<>();

        void died(@Observes DeadLetter letter) {
            CALLED.add(letter.messageId());
        }
    }

    @Test
    void observers_of_dead_letters_are_notified_and_their_failures_have_no_effect() {
        try (Deployment deployed = Deployment.of(Failing.class)) {
            UUID id = deployed.deadLetter("Shop.plain", "o-1");
            deployed.notifications().deadLettered(id, "Shop.plain");
            assertThat(deployed.get(Failing.class).seen()).singleElement().satisfies(letter -> {
                assertThat(letter.messageId()).isEqualTo(id);
                assertThat(letter.aggregateType()).isEqualTo("order");
                assertThat(letter.aggregateId()).isEqualTo("o-1");
                assertThat(letter.handler()).isEqualTo("Shop.plain");
                assertThat(letter.attempts()).isEqualTo(3);
            });
        }
    }

    @Test
    void no_observer_is_notified_of_a_dead_letter_that_was_already_discarded() {
        try (Deployment deployed = Deployment.of(Failing.class)) {
            UUID id = deployed.deadLetter("Shop.plain", "o-1");
            assertThat(deployed.get(DeadLetters.class).discard(id, "Shop.plain"))
                    .isTrue();
            deployed.notifications().deadLettered(id, "Shop.plain");
            assertThat(deployed.get(Failing.class).seen()).isEmpty();
        }
    }

    @Test
    void no_observer_is_notified_of_a_dead_letter_that_cannot_be_read_and_the_relay_continues() {
        try (Deployment deployed = Deployment.of(Failing.class)) {
            UUID id = deployed.deadLetter("Shop.plain", "o-1");
            deployed.database().update("DROP TABLE outbox_dead");
            deployed.notifications().deadLettered(id, "Shop.plain");
            assertThat(deployed.get(Failing.class).seen()).isEmpty();
        }
    }

    @Test
    void an_observer_in_the_request_scope_is_called() {
        Pager.CALLED.clear();
        UUID id = new UUID(7, 1);
        try (Deployment deployed = Deployment.of(Pager.class)) {
            deployed.get(DeadLetters.class).count(DeadLetterFilter.all());
            deployed.database()
                    .update("INSERT INTO outbox_dead (message_id, handler, handler_group, seq, shard, lane, type,"
                            + " payload_size, registry_version, attempts, died_at, blocking)"
                            + " VALUES ('" + id + "', 'Mailer.send', 'Mailer', 1, 1, 1, 'placed', 0, 0, 5, 1, 0)");

            deployed.notifications().deadLettered(id, "Mailer.send");
        }
        assertThat(Pager.CALLED).containsExactly(id);
    }

    @Test
    void a_dead_letter_is_read_only_if_it_is_observed() {
        assertThat(logged(Unconcerned.class)).isEmpty();
        assertThat(logged(Alarm.class)).singleElement().asString().contains("OUTBOX-0595");
        assertThat(logged(Protocol.class)).singleElement().asString().contains("OUTBOX-0595");
    }

    /** The table of dead letters is gone: to read one fails, and is logged. */
    private static List<String> logged(Class<?> observer) {
        try (Deployment deployed = Deployment.of(observer);
                CapturedLog log = new CapturedLog()) {
            deployed.get(DeadLetters.class).count(DeadLetterFilter.all());
            deployed.database().update("DROP TABLE outbox_dead");
            deployed.notifications().deadLettered(UUID.randomUUID(), "Mailer.send");
            return List.copyOf(log.lines);
        }
    }
}
